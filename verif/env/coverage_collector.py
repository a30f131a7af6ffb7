# SPDX-License-Identifier: Apache-2.0
"""The coverage collector: samples what retired, and only in programs that every scoreboard has passed."""

from cocotb.utils import get_sim_time
from pyuvm import ConfigDB, uvm_component

from ga2.device.clock import CLOCK_NS
from ga2.golden.interpreter import Outcome
from ga2.golden.memory import Memory
from verif.core.trace_file import Shown
from verif.coverage.recorder import Recorder
from verif.coverage.run_bins import cut_bins
from verif.env.analysis_sink import AnalysisSink
from verif.env.checker import Checker
from verif.env.csr_driver import CsrDriver
from verif.env.program_item import Ending, ProgramItem
from verif.env.program_run import ProgramRun
from verif.env.retire_agent import RetireAgent
from verif.env.retirement import Retirement
from verif.programs.program import ENTRY, IMAGE_ADDRESS


class CoverageCollector(uvm_component):
    """Does nothing unless $GA2_COVERAGE names a folder; then it stores one run there at the end of the test.

    It has a golden core of its own, which also says what bytes an instruction met. Connect it behind the scoreboards:
    it asks them what they found, so they must have spoken.
    """

    def build_phase(self) -> None:
        self.recorder = Recorder.from_environment(ConfigDB().get(self, "", "CONFIG"))
        self.core = self.recorder.core()
        self.memory = Memory(ConfigDB().get(self, "", "MEMORY_BYTES"))
        self.loaded_export = AnalysisSink("loaded_export", self, self._load)
        self.trace_export = AnalysisSink("trace_export", self, self._retire)
        self.run_export = AnalysisSink("run_export", self, self._end)
        self._outcome: Outcome | None = None
        self._shown: list[Shown] = []
        self._judged: list[Checker] = []
        self._mismatches = 0

    def observe(self, driver: CsrDriver, retire_agent: RetireAgent, scoreboards: list[Checker]) -> None:
        """Subscribe, after the scoreboards have."""
        if self.recorder.on:
            self._judged = scoreboards
            driver.loaded_ap.connect(self.loaded_export)
            retire_agent.ap.connect(self.trace_export)
            driver.ended_ap.connect(self.run_export)

    def final_phase(self) -> None:
        self.recorder.save()

    def _load(self, item: ProgramItem) -> None:
        program = item.program
        for address, data in [*program.memory.items(), (IMAGE_ADDRESS, program.image.memory_bytes())]:
            self.memory.write(address, data)
        sizes = len(program.image.instructions), len(program.image.constants)
        self.core.load_image(self.memory, IMAGE_ADDRESS, *sizes)
        entry = program.image.entries[ENTRY]
        self._outcome = self.core.run(self.memory, program.windows, entry, program.length, program.m)
        self._shown = []

    def _retire(self, record: Retirement) -> None:
        cycle = int(get_sim_time("ns")) // CLOCK_NS
        self._shown.append(Shown(cycle, record))

    def _end(self, run: ProgramRun) -> None:
        found = sum(len(scoreboard.mismatches) for scoreboard in self._judged)
        good, self._mismatches = found == self._mismatches, found
        if not good or self._outcome is None:
            return
        cut, expected = run.item.ending, len(self._outcome.retirements)
        if run.cut_short:
            fault = run.result.fault if run.result else None
            if fault is None:
                self.recorder.cut(cut.value, self._shown, expected)
            else:
                self.recorder.stopped(self.core, fault, self._shown, expected)
            return
        more = frozenset() if cut is Ending.UNDISTURBED else cut_bins(cut.value, expected, expected)
        self.recorder.passed(self.core, self._outcome, self._shown, timed=True, more=more)
