# SPDX-License-Identifier: Apache-2.0
"""The locator: names the place of the first mismatch, from what every scoreboard and the event log know."""

from pyuvm import uvm_component

from verif.env.analysis_sink import AnalysisSink
from verif.env.checker import Checker
from verif.env.program_run import ProgramRun, failed_program
from verif.env.settings import settings_of
from verif.env.spad_agent import SpadAgent
from verif.locate.report import report


class Locator(uvm_component):
    """Connect it behind the scoreboards: when the first program with a mismatch has ended, `reports` gets its report.

    Later programs meet what the first one left behind; their mismatches are listed, but not located.
    """

    def build_phase(self) -> None:
        self.settings = settings_of(self)
        self.reports: list[str] = []
        self.scoreboards: list[Checker] = []
        self.spad_agent: SpadAgent
        self.run_export = AnalysisSink("run_export", self, self._end)

    def watch(self, scoreboards: list[Checker], spad_agent: SpadAgent) -> None:
        """Whose mismatches count, and where the events come from."""
        self.scoreboards, self.spad_agent = scoreboards, spad_agent

    def _end(self, run: ProgramRun) -> None:
        found = [text for scoreboard in self.scoreboards for text in scoreboard.mismatches]
        if not found or self.reports or not self.settings.locate:
            return
        failed = failed_program(self.settings, run.item, run.profile)
        fault = run.result.fault if run.result else None
        hung = fault is not None and fault.name == "watchdog"
        # The log's last program is this one: the next has not been started yet.
        self.reports.append(report(failed, found[0], events=self.spad_agent.events(), hung=hung))
        self.logger.error(self.reports[0])
