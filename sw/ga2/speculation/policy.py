# SPDX-License-Identifier: Apache-2.0
"""How many guesses a block gets: a policy chooses before the block, from the blocks before it.

A policy is a function of finished blocks. It holds no state and is given nothing of the block that it chooses for, so
it cannot look ahead; the same past always gets the same answer.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from ga2.speculation.accept import Block


@dataclass(frozen=True)
class Ahead:
    """What is known of the rest of a run before a block.

    room: guesses that still fit the cache beside the committed token's row. wanted: tokens of the whole run.
    may_end: an end token may stop the run before them.
    """

    room: int
    wanted: int
    may_end: bool = False


class Policy(ABC):
    """Chooses k, block by block."""

    @abstractmethod
    def guesses(self, past: Sequence[Block], ahead: Ahead) -> int:
        """Guesses of the next block, 0 to `ahead.room`, after the blocks of `past`, the first of the run first."""


@dataclass(frozen=True)
class FixedK(Policy):
    """k guesses a block, fewer only where the cache has no room; the last block may go beyond the wanted tokens."""

    k: int

    def __post_init__(self) -> None:
        if self.k < 0:
            raise ValueError(f"k must be at least 0: got k = {self.k}")

    def guesses(self, past: Sequence[Block], ahead: Ahead) -> int:
        """k, or what fits."""
        return min(self.k, ahead.room)
