# SPDX-License-Identifier: Apache-2.0
"""The passive agent of the scratchpad: what each instruction wrote, from the testbench's event log.

A word a cycle would wake a Python task in most cycles; the testbench writes a line instead (`ga2_event_log.sv`), which
is read when an instruction retires, and no simulator has to expose the scratchpad's ports.
"""

from pyuvm import uvm_agent, uvm_analysis_port

from verif.env.analysis_sink import AnalysisSink
from verif.env.retirement import Retirement
from verif.env.settings import settings_of
from verif.locate.events import EventLog, ProgramEvents


class SpadAgent(uvm_agent):
    """Publishes (retirement, the program's events so far) on `ap` as each instruction retires."""

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)
        self.trace_export = AnalysisSink("trace_export", self, self._retire)
        self.settings = settings_of(self)
        self.log = EventLog(self.settings.config.bus_bytes, self.settings.config.cols)

    def _retire(self, record: Retirement) -> None:
        """Everything that the instruction wrote is in the log by now."""
        if self.settings.watch_writes:
            self.ap.write((record, self.events()))

    def events(self) -> ProgramEvents | None:
        """All events of the program under way or just ended; None if they are not logged."""
        return self.log.poll() if self.settings.watch_writes else None
