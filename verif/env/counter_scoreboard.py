# SPDX-License-Identifier: Apache-2.0
"""The scoreboard of the counters: every one, exactly, for every program that reached its HALT or a precise fault."""

from ga2.device.compare import counter_differences
from verif.env.checker import Checker
from verif.env.prediction import Prediction
from verif.env.program_run import ProgramRun


class CounterScoreboard(Checker):
    """The timing model predicts each counter; nothing is predicted for a program that was cut short."""

    def check_run(self, prediction: Prediction, run: ProgramRun) -> None:
        """Compare what the core counted."""
        if run.result is None or run.cut_short or not prediction.result.counters:
            return
        found = counter_differences(prediction.result, run.result)
        self.check(not found, f"{run.item.get_name()}: {'; '.join(map(str, found))}")
