# SPDX-License-Identifier: Apache-2.0
"""An instruction where it stands: what the functions that name its bins are given."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ga2.golden.resolve import Resolved, State
from ga2.spec import ISA, Config
from ga2.timing.model import Event, Refusal, timeline

OPERATIONS = tuple(name for name, spec in ISA.instructions.items() if spec.unit != "control")
UNITS = tuple(unit for unit in ISA.units if unit != "control")
Bins = frozenset[str]


@dataclass(frozen=True)
class Context:
    """One instruction. `older` are the resolved ones before it, oldest first, as many as the window holds slots.

    `events` are the times of `older` and, last, of the instruction itself; empty where the memory pauses and no time is
    known. `values` are the bins of the bytes that it met (`verif.coverage.value_bins`), if it was executed.
    """

    config: Config
    state: State
    resolved: Resolved
    older: Sequence[Resolved] = ()
    events: Sequence[Event] = ()
    values: Bins = frozenset()

    @property
    def op(self) -> str:
        """The mnemonic."""
        return self.resolved.instruction.op


def predicted(config: Config, program: Sequence[Resolved]) -> Sequence[Event]:
    """The times of a program's instructions, or of the first ones of one that goes on, on the reference memory."""
    return timeline(config, [each for each in program if not each.halt], Refusal(0)).events


def contexts(
    config: Config,
    state: State,
    program: Sequence[Resolved],
    events: Sequence[Event] = (),
    values: Sequence[Bins] = (),
) -> Iterator[Context]:
    """Each instruction of a run in its place; `events` and `values` by index, or empty."""
    slots = config.window_slots
    for index, resolved in enumerate(program):
        first = max(0, index - slots)
        yield Context(
            config,
            state,
            resolved,
            program[first:index],
            events[first : index + 1] if index < len(events) else (),
            values[index] if index < len(values) else frozenset(),
        )
