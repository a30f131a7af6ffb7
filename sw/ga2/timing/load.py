# SPDX-License-Identifier: Apache-2.0
"""Cycles of the load unit (rtl/ga2_load.sv) on the reference memory.

A burst made in cycle g has ARVALID in g + 1, its first beat in g + 1 + latency or right after the former burst's last
beat, then a beat a cycle. One burst is made a cycle while fewer than `read_outstanding` are unfinished; a finished one
frees its place in the cycle after its last beat. Done is the cycle after the operation's last beat.

The burst engine takes a job in s, or in the cycle that makes the former one's last burst; the first burst follows in
the next cycle. One job may wait for that, and the unit is ready again when none does. A gather reads the first id in
s + 1, hands the row to the burst engine two cycles after, reads the next id in that cycle, and so on.
Rows of a gather never cross a page (their pitch is a power of two up to 4096 and their table is aligned to it), so the
ids do not matter.
"""

from collections import deque
from collections.abc import Iterable

from ga2.spec import Config
from ga2.timing.bursts import MEMORY_LATENCY, split_row, split_rows
from ga2.timing.ops import LdOp, Times


class LoadUnit:
    """The unit's state across the operations of one program; `issue` them in program order."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.ready = 0
        self._made = 0
        self._last_beats: deque[int] = deque(maxlen=config.read_outstanding)

    def issue(self, op: LdOp, earliest: int) -> Times:
        """Times of `op`, whose dependencies allow it from cycle `earliest` on."""
        start = max(earliest, self.ready)
        if op.gather:
            self._gather(op, start)
        else:
            self._hand(start, split_rows(self.config, op.ext_addr, op.ext_pitch_bytes, op.rows, op.words))
        return Times(start, self._last_beats[-1] + 1, self.ready)

    def _gather(self, op: LdOp, start: int) -> None:
        handed = start + 1
        for _ in range(op.rows):
            handed = max(handed + 2, self.ready)
            self._hand(handed, split_row(self.config, 0, op.words))

    def _hand(self, handed: int, bursts: Iterable[int]) -> None:
        """Give the engine a job of these bursts in cycle `handed`."""
        taken = max(handed, self._made)
        self.ready = taken + 1
        self._made = self._make(taken + 1, bursts)

    def _make(self, first: int, bursts: Iterable[int]) -> int:
        """Make bursts of these beats from cycle `first` on; return the cycle in which the last one is made."""
        cycle = first
        last_beats = self._last_beats
        for beats in bursts:
            made = cycle
            if len(last_beats) == last_beats.maxlen:
                made = max(made, last_beats[0] + 1)
            first_beat = made + 1 + MEMORY_LATENCY
            if last_beats:
                first_beat = max(first_beat, last_beats[-1] + 1)
            last_beats.append(first_beat + beats - 1)
            cycle = made + 1
        return cycle - 1
