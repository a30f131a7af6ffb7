# SPDX-License-Identifier: Apache-2.0
"""Bins of time: how full the window is, and what each unit's instructions waited for.

The times are the timing model's, which the counters of the same run confirmed; on a memory that pauses there are none.
"""

from ga2.spec import CONFIG_NAMES, load_config
from verif.coverage.context import UNITS, Bins, Context

SLOTS = load_config(CONFIG_NAMES[0]).window_slots
REASONS = ("nothing", "hazard", "unit", "window")

POINTS: dict[str, tuple[str, ...]] = {
    "window/occupied": tuple(str(count) for count in range(SLOTS)),
    "window/no_op": ("empty", "behind others"),
    "stall/reason": tuple(f"{unit} {reason}" for unit in UNITS for reason in REASONS),
}


def time_bins(context: Context) -> Bins:
    """What an instruction met when it entered the window, and what it then waited for."""
    if not context.events or context.resolved.halt:
        return frozenset()
    *older, own = context.events
    occupied = sum(event.freed >= own.allocated for event in older)
    if context.resolved.no_op:
        return frozenset({f"window/no_op/{'behind others' if occupied else 'empty'}"})
    bins = {f"window/occupied/{occupied}"}
    reasons = {
        "hazard": own.waits > own.allocated,
        "unit": own.start > own.waits + 1,
        "window": own.allocated > own.decoded + context.resolved.operand_count + 4,
    }
    met = [name for name, holds in reasons.items() if holds] or ["nothing"]
    return frozenset(bins | {f"stall/reason/{own.unit} {name}" for name in met})
