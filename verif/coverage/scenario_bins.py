# SPDX-License-Identifier: Apache-2.0
"""Bins of the fault campaign's scenarios (`verif/core/fault_kinds.py`) that no program's trace can show."""

from verif.coverage.context import Bins
from verif.coverage.run_bins import LOAD_FAULTS

REFUSALS = {
    "busy_write": "busy_write",
    "read_only_write": "read only",
    "busy_start": "busy_start",
    "busy_load": "busy_start",
    "busy_clear": "clear_refused",
    "clear_refused": "clear_refused",
    "fault_start": "fault_start",
}
LOADS = {"load_slverr": "read_slverr", "load_decerr": "read_decerr", "watchdog LOAD": "watchdog"}


def scenario_bins(kind: str, variant: int) -> Bins:
    """What the repetition `variant` of a scenario that passed has shown."""
    if kind in REFUSALS:
        return frozenset({f"fault/refused/{REFUSALS[kind]}"})
    if kind in LOADS:
        return frozenset({f"fault/imprecise/{LOADS[kind]} LOAD"})
    if kind == "load_refused":
        return frozenset({f"fault/load/{LOAD_FAULTS[variant % len(LOAD_FAULTS)]}"})
    return frozenset()
