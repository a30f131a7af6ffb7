# SPDX-License-Identifier: Apache-2.0
"""What a program is like: its length, the opcodes in it, whether units work at the same time, its cycles."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from ga2.device.protocol import FaultReport
from ga2.golden.interpreter import REGISTER_LIMIT
from ga2.golden.resolve import Resolved, State, check_start, resolve
from ga2.spec import Config
from ga2.timing.model import Event, Refusal, timeline
from verif.programs.program import ENTRY, Program


@dataclass(frozen=True)
class Measured:
    """One program: instructions dispatched (HALT included), opcodes that work, two units busy at once, cycles."""

    instructions: int
    opcodes: tuple[str, ...]
    overlap: bool
    cycles: int

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def units_overlap(events: Iterable[Event]) -> bool:
    """Whether two units are busy in one cycle."""
    last_end, last_unit = 0, ""
    for event in sorted((each for each in events if each.end > each.start), key=lambda each: each.start):
        if event.start < last_end and event.unit != last_unit:
            return True
        if event.end > last_end:
            last_end, last_unit = event.end, event.unit
    return False


def dispatched(config: Config, program: Program) -> list[Resolved]:
    """What dispatch lets pass, HALT included, up to the end or the first precise fault: no program branches."""
    state = State(min(program.length, REGISTER_LIMIT), min(program.m, REGISTER_LIMIT), program.windows)
    first, found = program.image.entries[ENTRY], []
    if check_start(config, state, first) is not None:
        return []
    for pc, word in enumerate(program.image.instructions[first:], first):
        resolved = resolve(word, pc, config, state)
        if isinstance(resolved, FaultReport):
            break
        found.append(resolved)
        if resolved.halt:
            break
    return found


def measure(config: Config, program: Program) -> Measured:
    """What the timing model says of the program, run undisturbed."""
    found = dispatched(config, program)
    line = timeline(config, [each for each in found if not each.halt], Refusal(0))
    opcodes = {each.instruction.op for each in found if not each.no_op}
    return Measured(len(found), tuple(sorted(opcodes)), units_overlap(line.events), line.finish)
