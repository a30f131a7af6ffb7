# SPDX-License-Identifier: Apache-2.0
"""The environment: who listens to whom.

    sequence -> csr agent -- loaded --> predictor -- prediction --> every scoreboard
                    |   '------------- ended ---------------------> every scoreboard
                   core -- trace --> retire agent ----------------> retirement scoreboard
"""

from pyuvm import uvm_env

from verif.env.checker import Checker
from verif.env.counter_scoreboard import CounterScoreboard
from verif.env.coverage_collector import CoverageCollector
from verif.env.csr_agent import CsrAgent
from verif.env.memory_scoreboard import MemoryScoreboard
from verif.env.predictor import Predictor
from verif.env.retire_agent import RetireAgent
from verif.env.retirement_scoreboard import RetirementScoreboard


class Environment(uvm_env):
    """Needs DUT, DEVICE, CONFIG and MEMORY_BYTES in the ConfigDB."""

    def build_phase(self) -> None:
        self.csr_agent = CsrAgent("csr_agent", self)
        self.retire_agent = RetireAgent("retire_agent", self)
        self.predictor = Predictor("predictor", self)
        self.retirements = RetirementScoreboard("retirements", self)
        self.scoreboards: list[Checker] = [
            self.retirements,
            MemoryScoreboard("memories", self),
            CounterScoreboard("counters", self),
        ]
        self.coverage = CoverageCollector("coverage", self)

    def connect_phase(self) -> None:
        driver = self.csr_agent.driver
        driver.loaded_ap.connect(self.predictor.analysis_export)
        self.retire_agent.ap.connect(self.retirements.trace_export)
        for scoreboard in self.scoreboards:
            self.predictor.ap.connect(scoreboard.prediction_export)
            driver.ended_ap.connect(scoreboard.run_export)
        self.coverage.observe(driver, self.retire_agent, self.scoreboards)
