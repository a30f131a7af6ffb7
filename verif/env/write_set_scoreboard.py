# SPDX-License-Identifier: Apache-2.0
"""The scoreboard of the write sets: what an instruction wrote, byte by byte, as it retires."""

from ga2.golden.interpreter import Retired
from verif.env.analysis_sink import AnalysisSink
from verif.env.checker import Checker
from verif.env.prediction import Prediction
from verif.env.program_run import ProgramRun
from verif.env.retirement import NO_FAULT, Retirement
from verif.env.settings import settings_of
from verif.env.spad_agent import SpadAgent
from verif.locate.divergence import wrong_bytes
from verif.locate.events import ProgramEvents


class WriteSetScoreboard(Checker):
    """At its retirement an instruction has written every byte of golden's write set once, with golden's value.

    Units overlap, and the trace is in program order: a unit's writes belong to the instruction that it is done with
    next. At the program's end no unit has written a word for which it had no instruction.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.config = settings_of(self).config
        self.retire_export = AnalysisSink("retire_export", self, self._retire)
        self.agent: SpadAgent  # set by the environment: says what was written by the end

    def _retire(self, shown: tuple[Retirement, ProgramEvents | None]) -> None:
        record, events = shown
        if not self.predictions or events is None or record.fault != NO_FAULT:
            return
        prediction = self.predictions[0]
        if record.seq < len(prediction.retired) and prediction.retired[record.seq].pc == record.pc:
            self._compare(prediction, prediction.retired[record.seq], events)

    def _compare(self, prediction: Prediction, retired: Retired, events: ProgramEvents) -> None:
        activity = events.of(retired.pc)
        wrong = list(wrong_bytes(retired, activity, self.config))
        again = len(activity.writes) - len({write.word for write in activity.writes})
        text = f"{wrong[0]}, the first of {len(wrong)} bytes" if wrong else f"{again} words written twice"
        self.check(not wrong and not again, f"{prediction.item.get_name()}: pc {retired.pc} {retired.op}: {text}")

    def forget(self) -> None:
        super().forget()
        self.agent.events()
        self.agent.log.idle_writes.clear()

    def check_run(self, prediction: Prediction, run: ProgramRun) -> None:
        """Nothing was written for nobody."""
        events, name = self.agent.events(), run.item.get_name()
        if events is None:
            return
        idle, self.agent.log.idle_writes = self.agent.log.idle_writes, []
        self.check(not idle, f"{name}: {len(idle)} words written while no program ran, first {idle[:1]}")
        if run.cut_short:
            return
        stray = events.unclaimed()
        self.check(not stray, f"{name}: {len(stray)} words written for no instruction, first {stray[:1]}")
