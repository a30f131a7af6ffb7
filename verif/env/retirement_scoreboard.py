# SPDX-License-Identifier: Apache-2.0
"""The scoreboard of the trace: every retirement, while the program runs."""

from collections import deque

from verif.env.analysis_sink import AnalysisSink
from verif.env.checker import Checker
from verif.env.prediction import Prediction
from verif.env.program_item import Ending
from verif.env.program_run import ProgramRun
from verif.env.retirement import NO_FAULT, Retirement


class RetirementScoreboard(Checker):
    """Sequence, pc, opcode, unit and destination range in program order, then HALT or the fault.

    A program that the host cut short shows a prefix of that; its fault names the oldest instruction left, or the one
    that retired in the same cycle. An error of the memory is traced last, with the pc of the instruction it stopped.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.expected: deque[Retirement] = deque()
        self.cut_short = 0  # programs
        self.trace_export = AnalysisSink("trace_export", self, self.retire)

    def expect(self, prediction: Prediction) -> None:
        """The program's trace is due."""
        super().expect(prediction)
        self.expected.extend(prediction.trace)

    def retire(self, seen: Retirement) -> None:
        """The core shows a record."""
        error = self.predictions[0].fault if self.predictions else None
        if error is not None and seen.fault == error.name:
            self.check(seen.pc == error.pc, f"{self._program()}: trace: {seen}, must be of {error}")
            self.expected.clear()
            return
        due = self.expected.popleft() if self.expected else None
        self.check(due is not None and due.agrees(seen), f"{self._program()}: trace: golden {due}, RTL {seen}")

    def check_run(self, prediction: Prediction, run: ProgramRun) -> None:
        """Everything due was seen, and the registers name the fault that the trace showed."""
        left, name = list(self.expected), run.item.get_name()
        self.expected.clear()
        self.cut_short += run.cut_short
        if not run.cut_short:
            self.check(not left, f"{name}: {len(left)} records never seen, first {left[:1]}")
            self._check_fault(prediction, run)
        elif run.item.ending is Ending.BUS_ERROR:
            seen = run.result.fault if run.result else None
            self.check(seen == prediction.fault, f"{name}: fault: golden {prediction.fault}, RTL {seen}")
        elif run.item.ending is not Ending.RESET:
            self._check_cut(prediction, run, len(prediction.trace) - len(left))

    def forget(self) -> None:
        super().forget()
        self.expected.clear()

    def problems(self) -> list[str]:
        """Records that were due when the test ended, besides."""
        late = [f"{self.get_name()}: {len(self.expected)} records still due"] if self.expected else []
        return super().problems() + late

    def _program(self) -> str:
        return self.predictions[0].item.get_name() if self.predictions else "no program"

    def _check_fault(self, prediction: Prediction, run: ProgramRun) -> None:
        seen = run.result.fault if run.result else None
        golden = prediction.result.fault
        self.check(seen == golden, f"{run.item.get_name()}: fault: golden {golden}, RTL {seen}")

    def _check_cut(self, prediction: Prediction, run: ProgramRun, retired: int) -> None:
        fault = run.result.fault if run.result else None
        near = prediction.trace[max(retired - 1, 0) : retired + 1]
        pcs = [record.pc for record in near if record.fault == NO_FAULT] or [near[-1].pc]
        name = run.item.get_name()
        self.check(
            fault is not None and fault.pc in pcs and fault.address == 0,
            f"{name}: {retired} records, so the fault's pc is one of {pcs} and its address 0, RTL {fault}",
        )
