# SPDX-License-Identifier: Apache-2.0
"""Why an instruction did not start at once: the window was full, an older one had to finish first, its unit was busy.

Read from the events of the timing model, which equal the core's cycles on the reference memory.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ga2.golden.hazards import depends, reads_after_writes, writes_collide
from ga2.golden.resolve import Resolved
from ga2.spec import Config
from ga2.timing.model import Event

WINDOW, DATA, PLACE, PORT, UNIT = "window", "data", "place", "port", "unit"
MEANING = {
    WINDOW: "all slots of the window are taken; the oldest instruction must leave it",
    DATA: "it reads what the other one writes",
    PLACE: "it writes where the other one still reads or writes",
    PORT: "both need one port of a bank",
    UNIT: "its unit is still busy with the other one",
}


@dataclass(frozen=True)
class Wait:
    """`cycles` for the instruction at `pc`, because of `kind`, one of `MEANING`."""

    kind: str
    cycles: int
    pc: int


def kind_of(new: Resolved, old: Resolved) -> str:
    """Why `new` depends on `old`."""
    if reads_after_writes(new, old):
        return DATA
    if new.unit != old.unit and writes_collide(new, old):
        return PLACE
    return PORT


def waits(events: Sequence[Event], index: int, config: Config) -> Iterator[Wait]:
    """What the instruction `index` of a timeline waited for, in the order of time."""
    own, slots = events[index], config.window_slots
    entered = own.decoded + (3 if own.resolved.no_op else own.resolved.operand_count + 4)
    if own.allocated > entered:
        yield Wait(WINDOW, own.allocated - entered, events[index - slots].resolved.pc)
    if own.resolved.no_op:
        return
    older = events[max(0, index - slots) : index]
    if own.waits > own.allocated:
        last = max((old for old in older if depends(own.resolved, old.resolved)), key=lambda old: old.end)
        yield Wait(kind_of(own.resolved, last.resolved), own.waits - own.allocated, last.resolved.pc)
    if own.start > own.waits + 1:
        former = next(old for old in reversed(events[:index]) if old.unit == own.unit and not old.resolved.no_op)
        yield Wait(UNIT, own.start - own.waits - 1, former.resolved.pc)
