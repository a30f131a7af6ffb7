# SPDX-License-Identifier: Apache-2.0
"""Reading one program: what each instruction is for, when it runs, and what it waits for. No simulation."""
