# SPDX-License-Identifier: Apache-2.0
"""Cycles of the vector unit (`rtl/ga2_vec.sv`): one word a cycle, one operation at a time."""

from ga2.spec import Config
from ga2.timing.ops import Times, VecOp

TAIL = 4
"""Cycles from the last word's read to its write, or to that of its row's id."""


class VectorUnit:
    """Answers with the cycles of each operation, in the order issued; starts idle."""

    def __init__(self, config: Config) -> None:
        self.cols = config.cols
        self.ready = 0

    def issue(self, op: VecOp, earliest: int) -> Times:
        """Times of `op` when its dependencies allow a start in cycle `earliest` or later."""
        start = max(earliest, self.ready)
        words = op.rows * -(-op.n // self.cols)
        end = start + words + TAIL
        self.ready = end
        return Times(start, end, self.ready)
