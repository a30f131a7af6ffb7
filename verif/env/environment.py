# SPDX-License-Identifier: Apache-2.0
"""The environment: who listens to whom.

    virtual sequence -> csr, mem and reset agents -> core and memory
    sequence -> csr agent -- loaded --> predictor -- prediction --> every scoreboard
                    |   '------------- ended ---------------------> every scoreboard, then the locator
                   core -- trace ------> retire agent ------------> retirement scoreboard, spad agent
                    |  -- event log ---> spad agent --------------> write-set scoreboard
                    '-- AXI master ----> mem agent ---------------> traffic scoreboard
"""

from pyuvm import uvm_env

from ga2.device.hexfile import Bytes
from verif.env.checker import Checker
from verif.env.counter_scoreboard import CounterScoreboard
from verif.env.coverage_collector import CoverageCollector
from verif.env.csr_agent import CsrAgent
from verif.env.locator import Locator
from verif.env.mem_agent import MemAgent
from verif.env.memory_scoreboard import MemoryScoreboard
from verif.env.predictor import Predictor
from verif.env.reset_agent import ResetAgent
from verif.env.retire_agent import RetireAgent
from verif.env.retirement_scoreboard import RetirementScoreboard
from verif.env.settings import settings_of
from verif.env.spad_agent import SpadAgent
from verif.env.traffic_scoreboard import TrafficScoreboard
from verif.env.virtual_sequencer import VirtualSequencer
from verif.env.write_set_scoreboard import WriteSetScoreboard


class Environment(uvm_env):
    """Needs DUT, DEVICE and SETTINGS in the ConfigDB."""

    def build_phase(self) -> None:
        settings = settings_of(self)
        self.csr_agent = CsrAgent("csr_agent", self)
        self.mem_agent = MemAgent("mem_agent", self)
        self.reset_agent = ResetAgent("reset_agent", self)
        self.retire_agent = RetireAgent("retire_agent", self)
        self.spad_agent = SpadAgent("spad_agent", self)
        self.sequencer = VirtualSequencer("sequencer", self)
        self.predictor = Predictor("predictor", self)
        self.retirements = RetirementScoreboard("retirements", self)
        self.scoreboards: list[Checker] = [
            self.retirements,
            MemoryScoreboard("memories", self),
            CounterScoreboard("counters", self),
        ]
        if settings.watch_writes:
            self.write_sets = WriteSetScoreboard("write_sets", self)
            self.scoreboards.append(self.write_sets)
        if settings.watch_bus:
            self.traffic = TrafficScoreboard("traffic", self)
            self.scoreboards.append(self.traffic)
        self.coverage = CoverageCollector("coverage", self)
        self.locator = Locator("locator", self)

    def connect_phase(self) -> None:
        settings, driver = settings_of(self), self.csr_agent.driver
        self.sequencer.csr = self.csr_agent.sequencer
        self.sequencer.mem = self.mem_agent.sequencer
        self.sequencer.reset = self.reset_agent.sequencer
        driver.loaded_ap.connect(self.predictor.analysis_export)
        self.retire_agent.ap.connect(self.retirements.trace_export)
        self.retire_agent.ap.connect(self.spad_agent.trace_export)
        if settings.watch_writes:
            self.spad_agent.ap.connect(self.write_sets.retire_export)
            self.write_sets.agent = self.spad_agent
        if settings.watch_bus:
            self.mem_agent.reads_ap.connect(self.traffic.reads_export)
            self.mem_agent.writes_ap.connect(self.traffic.writes_export)
            self.mem_agent.beats_ap.connect(self.traffic.beats_export)
        for scoreboard in self.scoreboards:
            self.predictor.ap.connect(scoreboard.prediction_export)
            driver.ended_ap.connect(scoreboard.run_export)
        self.coverage.observe(driver, self.retire_agent, self.scoreboards)
        self.locator.watch(self.scoreboards, self.spad_agent)
        driver.ended_ap.connect(self.locator.run_export)

    def mismatches(self) -> list[str]:
        """What the scoreboards have found so far."""
        return [mismatch for scoreboard in self.scoreboards for mismatch in scoreboard.mismatches]

    def forget(self, memory: Bytes) -> None:
        """After a reset: nothing that ran before counts. External memory holds this, the scratchpad nothing known."""
        self.predictor.forget(memory)
        for scoreboard in self.scoreboards:
            scoreboard.forget()
