# SPDX-License-Identifier: Apache-2.0
"""How a command ends: exit codes, and one clear line for what the user can put right."""

INPUT_ERROR = 2
FAILURE = 1
INTERRUPTED = 130
MOST = 1_000_000  # programs, cases or graphs of one campaign: weeks of work


class UserError(Exception):
    """Bad input, in one line."""
