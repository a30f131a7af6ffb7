# SPDX-License-Identifier: Apache-2.0
"""Cycles of the store unit (rtl/ga2_store.sv) on the reference memory.

A burst made in cycle g has its first W beat in g + 3 (its first word is read in g + 1) or right after the former
burst's last beat, then a beat a cycle; its response comes `latency` cycles after its last beat. The burst engine takes
an operation in s, or in the cycle that makes the former one's last burst; one operation may wait for that. One burst is
made a cycle, from the next cycle on, while fewer than `write_outstanding` are unanswered; an answered one frees its
place in the cycle after its response. Done is the cycle after the operation's last response. The words' credits never
bind: a word is read in one cycle, takes at least one beat, and four may be on the way.
"""

from collections import deque

from ga2.spec import Config
from ga2.timing.bursts import MEMORY_LATENCY, split_rows
from ga2.timing.ops import StOp, Times


class StoreUnit:
    """The unit's state across the operations of one program; `issue` them in program order."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.ready = 0
        self._made = 0
        self._next_beat = 0
        self._answers: deque[int] = deque(maxlen=config.write_outstanding)

    def issue(self, op: StOp, earliest: int) -> Times:
        """Times of `op`, whose dependencies allow it from cycle `earliest` on."""
        start = max(earliest, self.ready)
        made = max(start, self._made)
        self.ready = made + 1
        for beats in split_rows(self.config, op.ext_addr, op.ext_pitch_bytes, op.rows, op.words):
            made += 1
            if len(self._answers) == self._answers.maxlen:
                made = max(made, self._answers[0] + 1)
            first_beat = max(made + 3, self._next_beat)
            self._next_beat = first_beat + beats
            self._answers.append(self._next_beat - 1 + MEMORY_LATENCY)
        self._made = made
        return Times(start, self._answers[-1] + 1, self.ready)
