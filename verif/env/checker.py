# SPDX-License-Identifier: Apache-2.0
"""What all scoreboards share: predictions wait for the runs they belong to, mismatches are collected and counted.

A scoreboard never raises: an exception in one would hide what the others found. The base test judges them all.
"""

from collections import deque

from pyuvm import uvm_scoreboard

from verif.env.analysis_sink import AnalysisSink
from verif.env.prediction import Prediction
from verif.env.program_run import ProgramRun


class Checker(uvm_scoreboard):
    """A scoreboard: `compared` counts comparisons, `mismatches` says what differed, in words."""

    def build_phase(self) -> None:
        self.compared = 0
        self.mismatches: list[str] = []
        self.predictions: deque[Prediction] = deque()
        self.prediction_export = AnalysisSink("prediction_export", self, self.expect)
        self.run_export = AnalysisSink("run_export", self, self._end)

    def expect(self, prediction: Prediction) -> None:
        """A program is about to start."""
        self.predictions.append(prediction)

    def check_run(self, prediction: Prediction, run: ProgramRun) -> None:
        """A program has ended: compare it with its prediction."""
        raise NotImplementedError

    def check(self, good: bool, mismatch: str) -> None:
        """Count one comparison and keep a mismatch."""
        self.compared += 1
        if not good:
            self.mismatches.append(mismatch)
            self.logger.error(mismatch)

    def forget(self) -> None:
        """The core was reset: no program is under way, and what was found is dealt with."""
        self.predictions.clear()
        self.mismatches.clear()

    def problems(self) -> list[str]:
        """Everything against this scoreboard at the end of the test."""
        found = [f"{self.get_name()}: {mismatch}" for mismatch in self.mismatches]
        if self.predictions:
            found.append(f"{self.get_name()}: {len(self.predictions)} programs predicted and never run")
        if not self.compared:
            found.append(f"{self.get_name()}: compared nothing")
        return found

    def _end(self, run: ProgramRun) -> None:
        if not self.predictions or self.predictions[0].item is not run.item:
            self.check(False, f"{run.item.get_name()}: ran without a prediction")
            return
        self.check_run(self.predictions.popleft(), run)
