# SPDX-License-Identifier: Apache-2.0
"""Cycles of the softmax unit (`rtl/ga2_softmax.sv`): the closed form of its two or three passes a row."""

from ga2.spec import Config
from ga2.timing.ops import SmOp, Times

DIV_CYCLES = 9
"""Cycles from the start of a division to its result: 32 bits of the quotient, four a cycle, and one."""
SUM_TAIL = 7
"""Cycles from the read of a row's last exponential word to the start of its division."""
NORM_TAIL = 9
"""Cycles from the last read of a normalised word to its write."""


class SoftmaxUnit:
    """Answers with the cycles of each operation, in the order issued; starts idle."""

    def __init__(self, config: Config) -> None:
        self.cols = config.cols
        self.ready = 0

    def issue(self, op: SmOp, earliest: int) -> Times:
        """Times of `op` when its dependencies allow a start in cycle `earliest` or later."""
        start = max(earliest, self.ready)
        words = -(-op.n // self.cols)
        last_read = start
        divider_free = start
        for row in range(op.rows):
            maximum_words = -(-(op.len + row * op.step) // self.cols)
            # The last exponential word waits until the former row's division can't be disturbed by this row's sum.
            last_exp = max(last_read + maximum_words + words, divider_free)
            divider_free = last_exp + DIV_CYCLES
            last_read = last_exp + SUM_TAIL + DIV_CYCLES + words * self.cols if op.norm else last_exp
        end = last_read + (NORM_TAIL if op.norm else SUM_TAIL + DIV_CYCLES)
        self.ready = end
        return Times(start, end, self.ready)
