# SPDX-License-Identifier: Apache-2.0
"""The scoreboard of the counters, for every program that reached its HALT or a precise fault."""

from ga2.device.compare import counter_differences
from verif.core.stall_bounds import EXACT, bounds, violations
from verif.env.checker import Checker
from verif.env.prediction import Prediction
from verif.env.program_run import ProgramRun
from verif.env.settings import Memory, settings_of


class CounterScoreboard(Checker):
    """On a memory that never waits the timing model predicts each counter; on one that does, bounds.

    The bounds follow from what the memory held back (`verif.core.stall_bounds`); of a memory that does not count that
    only the counters of the work itself are known. Nothing is predicted for a program that was cut short.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.settings = settings_of(self)

    def check_run(self, prediction: Prediction, run: ProgramRun) -> None:
        """Compare what the core counted."""
        golden, seen = prediction.result, run.result
        if seen is None or run.cut_short or not golden.counters:
            return
        if self.settings.exact_cycles or (run.held is not None and run.held.any == 0):
            found = [str(each) for each in counter_differences(golden, seen)]
        elif self.settings.memory is Memory.HOSTILE and prediction.outcome is not None and golden.fault is None:
            assert run.held is not None
            found = violations(seen.counters, bounds(self.settings.config, prediction.outcome, run.held))
        else:
            found = [str(each) for each in counter_differences(golden, seen) if each.what.split()[-1] in EXACT]
        self.check(not found, f"{run.item.get_name()}: {'; '.join(found)}")
