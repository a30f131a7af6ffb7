# SPDX-License-Identifier: Apache-2.0
"""The scoreboard of external memory's traffic: every burst and every beat, as the memory takes it."""

from collections import deque

from pyuvm import ConfigDB

from verif.env.analysis_sink import AnalysisSink
from verif.env.bus_transfer import BusBeat, BusBurst
from verif.env.checker import Checker
from verif.env.prediction import Prediction
from verif.env.program_item import Ending
from verif.env.program_run import ProgramRun
from verif.env.settings import settings_of


class TrafficScoreboard(Checker):
    """Each read is the image's, a load's or a gather's, each write a store's with address, strobes and data; no more.

    Loads keep their order, and so do stores: the bursts of a channel come in program order. A program that the host cut
    short shows the beginning of its traffic; what it writes after its end is not defined.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.bus_bytes = settings_of(self).config.bus_bytes
        self.irq = ConfigDB().get(self, "", "DUT").irq
        self.reads_export = AnalysisSink("reads_export", self, self._read)
        self.writes_export = AnalysisSink("writes_export", self, self._write)
        self.beats_export = AnalysisSink("beats_export", self, self._beat)
        self.early: list[BusBurst] = []  # LOAD's reads, which come before the prediction
        self.reads: deque[BusBurst] = deque()
        self.writes: deque[BusBurst] = deque()
        self.beats: deque[BusBeat] = deque()

    def expect(self, prediction: Prediction) -> None:
        """The program's traffic is due; its image has been read already."""
        super().expect(prediction)
        self.reads.extend(prediction.reads)
        for address, data in prediction.writes:
            beats = [data[at : at + self.bus_bytes] for at in range(0, len(data), self.bus_bytes)]
            self.writes.append(BusBurst(address, len(beats)))
            strobes = (1 << self.bus_bytes) - 1
            self.beats.extend(BusBeat(tuple(beat), strobes, at == len(beats)) for at, beat in enumerate(beats, 1))
        early, self.early = self.early, []
        for burst in early:
            self._read(burst)

    def check_run(self, prediction: Prediction, run: ProgramRun) -> None:
        """Everything due was seen."""
        name = run.item.get_name()
        for what, left in (("read bursts", self.reads), ("write bursts", self.writes), ("write beats", self.beats)):
            if not run.cut_short:
                self.check(not left, f"{name}: {len(left)} {what} never seen, first {', '.join(map(str, [*left][:1]))}")
            left.clear()

    def forget(self) -> None:
        super().forget()
        for due in (self.early, self.reads, self.writes, self.beats):
            due.clear()

    def _read(self, burst: BusBurst) -> None:
        if not self.predictions:
            self.early.append(burst)
        else:
            self._next("read", self.reads, burst)

    def _write(self, burst: BusBurst) -> None:
        self._next("write", self.writes, burst)

    def _beat(self, beat: BusBeat) -> None:
        cut = bool(self.predictions) and self.predictions[0].item.ending is not Ending.UNDISTURBED
        if cut and bool(self.irq.value):
            return
        self._next("write beat", self.beats, beat)

    def _next(self, what: str, due: deque, seen: object) -> None:
        golden = due.popleft() if due else None
        name = self.predictions[0].item.get_name() if self.predictions else "no program"
        self.check(golden == seen, f"{name}: {what}: golden {golden or 'none'}, RTL {seen}")
