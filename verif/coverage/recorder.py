# SPDX-License-Identifier: Apache-2.0
"""What a bench tells coverage: which programs it ran, what the core showed of them, and that every check passed.

$GA2_COVERAGE names the folder of the stored runs; without it nothing is recorded and nothing is slower.
"""

import os
import uuid
from collections.abc import Sequence
from pathlib import Path

from ga2.device.protocol import FaultReport
from ga2.golden.interpreter import Core, Outcome
from ga2.golden.resolve import Resolved
from ga2.spec import ISA, Config
from verif.core.trace_file import Shown
from verif.coverage.context import Bins, contexts, predicted
from verif.coverage.database import Database
from verif.coverage.instruction_bins import instruction_bins
from verif.coverage.observed_core import ObservedCore
from verif.coverage.run_bins import (
    COMPLETED,
    CUTS,
    POWER_UP,
    PRECISE,
    Paused,
    cut_bins,
    ending,
    pause_bins,
    precise_bins,
    stopped_bins,
)
from verif.coverage.scenario_bins import scenario_bins
from verif.env.retirement import NO_FAULT

VARIABLE = "GA2_COVERAGE"


class TraceError(AssertionError):
    """The retirement trace and the golden run that explains it do not belong together."""


def retired(outcome: Outcome, shown: Sequence[Shown]) -> list[Resolved]:
    """The resolved instructions that the core showed to retire, HALT included; TraceError if one is another."""
    found = []
    for record in (each.record for each in shown):
        if record.fault != NO_FAULT:
            continue
        if record.seq >= len(outcome.resolved):
            raise TraceError(f"coverage: record {record} is behind the program's end")
        resolved = outcome.resolved[record.seq]
        if (resolved.pc, resolved.instruction.op) != (record.pc, record.op):
            raise TraceError(f"coverage: the core showed {record}, golden has pc {resolved.pc}")
        found.append(resolved)
    return found


class Recorder:
    """Collects the bins of a simulation's programs; `save` stores them. One that is off does nothing."""

    def __init__(self, config: Config, folder: Path | None) -> None:
        self.config = config
        self.database = Database() if folder else None
        self.programs = 0
        self._folder = folder
        self._former = POWER_UP

    @classmethod
    def from_environment(cls, config: Config) -> "Recorder":
        """On if $GA2_COVERAGE names a folder."""
        name = os.environ.get(VARIABLE)
        return cls(config, Path(name) if name else None)

    @property
    def on(self) -> bool:
        """Whether anything is recorded."""
        return self.database is not None

    def core(self) -> Core:
        """The golden core for a bench that records; a plain one when off."""
        return ObservedCore(self.config) if self.on else Core(self.config)

    def passed(
        self,
        core: Core,
        outcome: Outcome,
        shown: Sequence[Shown],
        *,
        timed: bool,
        paused: Paused | None = None,
        more: Bins = frozenset(),
    ) -> None:
        """A program that ended with HALT or a precise fault and passed every check.

        `core` has just run it; `timed`: its counters were the timing model's; `more`: bins that only the bench knows.
        """
        if self.database is None or not isinstance(core, ObservedCore):
            return
        program = retired(outcome, shown)
        events = predicted(self.config, program) if timed else ()
        if timed:
            check_cycles([event.freed for event in events], shown)
        names = set(more)
        for context in contexts(self.config, core.state, program, events, core.values):
            names |= instruction_bins(context)
        names |= set(precise_bins(outcome, core.instructions, events, timed))
        names |= pause_bins(paused) if paused else frozenset()
        now = COMPLETED if outcome.fault is None else PRECISE
        names |= {f"run/after/{self._former} then {now}", f"run/configuration/{self.config.name} {now}"}
        self.database.program(names)
        self.programs += 1
        self._former = ending(outcome)

    def cut(self, cut: str, shown: Sequence[Shown], expected: int) -> None:
        """A program that abort, watchdog or reset ended: of `expected` records `shown` came and were right."""
        if self.database is not None:
            self.database.program(cut_bins(cut, len(shown), expected))
            self._former = cut

    def stopped(
        self, core: Core, fault: FaultReport, shown: Sequence[Shown], expected: int, stuck: Sequence[str] = ()
    ) -> None:
        """A program that an imprecise fault ended as it must, perhaps with channels of the memory stuck.

        None of its instructions count: what they wrote was not compared.
        """
        if self.database is not None:
            spec = ISA.by_opcode.get(core.instructions[fault.pc] & 0xFF)
            self.database.program(stopped_bins(fault.name, spec.name if spec else "", stuck))
            if fault.name in CUTS:
                retired = [each for each in shown if each.record.fault == NO_FAULT]
                self.cut(fault.name, retired, expected)
            self._former = fault.name

    def scenario(self, kind: str, variant: int) -> None:
        """A repetition of one of the fault campaign's scenarios has passed."""
        if self.database is not None:
            self.database.program(scenario_bins(kind, variant))

    def save(self) -> Path | None:
        """Store the run under a name of its own."""
        if self.database is None or self._folder is None:
            return None
        path = self._folder / f"{self.config.name}-{uuid.uuid4().hex}.xml"
        self.database.save(path)
        return path


def check_cycles(freed: Sequence[int], shown: Sequence[Shown]) -> None:
    """Instructions left the window in the cycles of the timing model; TraceError if not.

    The pairs' overlap is told from these times, so they must be the core's and not only add up to its counters.
    """
    cycles = [record.cycle for record in shown[: len(freed)]]
    steps = [(b - a) for a, b in zip(cycles, cycles[1:], strict=False)]
    wanted = [(b - a) for a, b in zip(freed, freed[1:], strict=False)]
    if steps != wanted:
        at = next(index for index, (a, b) in enumerate(zip(steps, wanted, strict=False)) if a != b)
        raise TraceError(
            f"coverage: record {at + 1} came {steps[at]} cycles after the former, the timing model says {wanted[at]}"
        )
