# SPDX-License-Identifier: Apache-2.0
"""The accept rule of greedy speculation: what one verified block commits.

A block is [last committed token, guess 0 .. guess k-1], k + 1 rows. The target's choice of row i is its token after
the block's first i + 1 rows, so guess i competes with choice i, and the choice after the last agreeing guess comes
free. Worked: guesses [7, 2, 5], choices [7, 2, 9, 4]: two accepted, emits [7, 2, 9], cache rows 0 .. 2 are kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass


def agreeing_prefix(guesses: Sequence[int], choices: Sequence[int]) -> int:
    """Length of the longest prefix with guess i = choice i."""
    for index, (guess, choice) in enumerate(zip(guesses, choices, strict=False)):
        if guess != choice:
            return index
    return min(len(guesses), len(choices))


@dataclass(frozen=True)
class Block:
    """One verified block: the last committed token, k guesses, and the k + 1 choices of the target."""

    last: int
    guesses: tuple[int, ...]
    choices: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.choices) != len(self.guesses) + 1:
            raise ValueError(f"{len(self.guesses)} guesses need one choice more, got {len(self.choices)}")

    @property
    def rows(self) -> tuple[int, ...]:
        """The tokens that the target saw: one a row, m = k + 1."""
        return (self.last, *self.guesses)

    @property
    def accepted(self) -> int:
        """Guesses that the target agrees with, up to the first that it does not."""
        return agreeing_prefix(self.guesses, self.choices)

    @property
    def emitted(self) -> tuple[int, ...]:
        """The committed tokens: the accepted guesses and the target's own token after them."""
        return (*self.guesses[: self.accepted], self.choices[self.accepted])

    @property
    def kept_rows(self) -> int:
        """Cache rows of the block that stay: the last committed token's and the accepted guesses'.

        The free token is emitted but not yet in the cache: it is row 0 of the next block.
        """
        return self.accepted + 1
