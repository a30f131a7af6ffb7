# SPDX-License-Identifier: Apache-2.0
"""The coverage collector: samples what retired, and only in programs that every scoreboard has passed."""

from cocotb.utils import get_sim_time
from pyuvm import ConfigDB, uvm_component

from ga2.device.clock import CLOCK_NS
from ga2.golden.interpreter import Outcome
from ga2.golden.memory import Memory
from ga2.spec import Config
from verif.core.trace_file import Shown
from verif.coverage.context import Bins
from verif.coverage.recorder import Recorder
from verif.coverage.run_bins import Paused, cut_bins
from verif.coverage.slice_bins import block_class, length_class, slice_bins
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

    It has a golden core of its own, which also says what bytes an instruction met. A program is judged when the next
    one is loaded or the test ends: then every scoreboard has spoken, whenever it was connected.
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
        self._run: ProgramRun | None = None
        self._judges: list[Checker] = []
        self._mismatches = 0

    def observe(self, driver: CsrDriver, retire_agent: RetireAgent, scoreboards: list[Checker]) -> None:
        """Subscribe; who joins `scoreboards` later is asked too."""
        if self.recorder.on:
            self._judges = scoreboards
            driver.loaded_ap.connect(self.loaded_export)
            retire_agent.ap.connect(self.trace_export)
            driver.ended_ap.connect(self.run_export)

    def final_phase(self) -> None:
        self._sample()
        self.recorder.save()

    def _load(self, item: ProgramItem) -> None:
        self._sample()
        program = item.program
        for address, data in [*program.memory.items(), (IMAGE_ADDRESS, program.image.memory_bytes())]:
            self.memory.write(address, data)
        sizes = len(program.image.instructions), len(program.image.constants)
        self.core.load_image(self.memory, IMAGE_ADDRESS, *sizes)
        entry = program.image.entries[ENTRY]
        self._outcome = self.core.run(self.memory, program.windows, entry, program.length, program.m)
        self._shown = []

    def _retire(self, record: Retirement) -> None:
        self._shown.append(Shown(int(get_sim_time("ns")) // CLOCK_NS, record))

    def _end(self, run: ProgramRun) -> None:
        self._run = run

    def _sample(self) -> None:
        """Sample the program that ended last, if nothing was found against it."""
        found = sum(len(judge.mismatches) for judge in self._judges)
        good, self._mismatches = found == self._mismatches, found
        run, outcome, self._run = self._run, self._outcome, None
        if run is None or outcome is None or not good:
            return
        ending, expected = run.item.ending, len(outcome.retirements)
        if not run.cut_short:
            more = slices_of(run.item, self.recorder.config)
            if ending is not Ending.UNDISTURBED:
                more |= cut_bins(ending.value, expected, expected)
            paused = Paused(run.profile, run.held.read, run.held.write) if run.profile and run.held else None
            timed = run.profile is None or run.profile.ready
            self.recorder.passed(self.core, outcome, self._shown, timed=timed, paused=paused, more=more)
        elif run.result is not None and run.result.fault is not None:
            self.recorder.stopped(self.core, run.result.fault, self._shown, expected)
        else:
            self.recorder.cut(ending.value, self._shown, expected)


def slices_of(item: ProgramItem, config: Config) -> Bins:
    """The bins of the slices in a compiled program, whose item brings their `facts` (`ga2.slices.facts`)."""
    facts = [fact for fact in getattr(item, "facts", ()) if fact.crossed]
    return frozenset().union(
        *(
            slice_bins(
                fact.source,
                fact.consumer,
                fact.position,
                block_class(fact.m, config),
                length_class(fact.length, fact.m, config),
            )
            for fact in facts
        )
    )
