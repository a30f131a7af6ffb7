# SPDX-License-Identifier: Apache-2.0
"""Cycles of the matrix unit (`rtl/ga2_mm.sv`): a closed form of the operation's sizes.

An operation streams `tiles * period` cycles and then drains its last row tile; the next one streams meanwhile.
"""

from dataclasses import dataclass

from ga2.spec import Config
from ga2.timing.ops import MmOp, Times


@dataclass(frozen=True)
class MatrixTimes(Times):
    """Times of one operation; the array streams in cycles `start + 1` .. `ready` (counter `part_array`)."""

    @property
    def stepping(self) -> range:
        """The streaming cycles."""
        return range(self.start + 1, self.ready + 1)


def drain(config: Config) -> int:
    """DRAIN: cycles from a tile's last streaming cycle to the write of its first row, whatever the lanes."""
    return config.cols + 5


def groups(config: Config) -> int:
    """Groups of columns that share the requantising lanes: cycles that a row takes in the drain."""
    return config.cols // config.lanes


def period(config: Config, k: int) -> int:
    """Cycles of one tile with inner dimension `k`: its words, its drain, or the time its sums must stay."""
    turns = groups(config)
    words = config.cols * -(-k // config.cols)
    return max(words, config.rows * turns, config.cols + (config.rows - 1) * (turns - 1))


class MatrixUnit:
    """Answers with the cycles of each operation, in the order issued; starts idle."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.ready = 0

    def issue(self, op: MmOp, earliest: int) -> MatrixTimes:
        """Times of `op` when its dependencies allow a start in cycle `earliest` or later."""
        config = self.config
        start = max(earliest, self.ready)
        row_tiles = -(-op.m // config.rows)
        tiles = row_tiles * -(-op.n // config.cols)
        last_rows = op.m - config.rows * (row_tiles - 1)
        self.ready = start + tiles * period(config, op.k)
        end = self.ready + (last_rows - 1) * groups(config) + drain(config)
        return MatrixTimes(start, end, self.ready)
