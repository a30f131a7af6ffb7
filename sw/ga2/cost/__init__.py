# SPDX-License-Identifier: Apache-2.0
"""What a verifier pass costs: its cycles for every block size, beside plain steps over the same positions."""
