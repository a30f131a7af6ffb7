# SPDX-License-Identifier: Apache-2.0
"""k that adapts: the best estimated tokens a cycle, within a budget that no draft can overdraw.

The budget. Let P(n) be the cycles of the first n plain tokens and S the cycles spent so far on the blocks that
committed the first e of N wanted tokens. A block is allowed only if, should it commit a single token (every block
commits one), and were all the rest decoded plainly, the run would still keep its promise of `share` of plain speed:

    S + cost(block) + P(N) - P(e + 1)  <=  P(N) / share

A block without guesses is the plain step of row e, which costs P(e + 1) - P(e): with it the left side is what the
block before has left, or less if that one committed more than one token. So if the rule held before a block, k = 0
satisfies it, and it holds at the start, where the left side is P(N). By induction it holds after every block, and at
the end, where e = N: S <= P(N) / share. Nothing was assumed of the draft: guesses that are always wrong, or right until
they are trusted, meet the same rule, and exploring is paid from the same budget. What good guesses have saved may be
spent on later ones.

A run that an end token may stop has no known N: there the rule is held with N = e + 1, which is the same promise after
every block. The costs are exact on the reference memory, and so is the promise.

The choice. Of the allowed k, 0 included, the one with the most expected tokens a cycle. The chance that guess i is
accepted if those before it were is estimated from the last blocks, each weighing DISCOUNT of the one after it, and
drawn towards the chance over all positions, and that towards PRIOR, by a few made-up trials. As real trials fade with
every block, tried or not, an estimate that has not been tested for long returns to PRIOR, and guessing is tried again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import mul

from ga2.speculation.accept import Block
from ga2.speculation.costs import RoundCosts
from ga2.speculation.policy import Ahead, Policy

SHARE = Fraction(97, 100)
DISCOUNT = 0.95
REMEMBERED = 90  # blocks: the oldest of them weighs 1 % of the last
PRIOR, PRIOR_TRIALS = 0.6, 2.0
POSITION_TRIALS = 2.0


def acceptance(past: Sequence[Block], positions: int) -> list[float]:
    """Estimated chance of guess i, from the first on, to be accepted if all before it were."""
    right, tried = [0.0] * positions, [0.0] * positions
    weight = 1.0
    for block in reversed(past[-REMEMBERED:]):
        for position in range(min(block.accepted + 1, len(block.guesses), positions)):
            tried[position] += weight
            right[position] += weight * (position < block.accepted)
        weight *= DISCOUNT
    pooled = (sum(right) + PRIOR_TRIALS * PRIOR) / (sum(tried) + PRIOR_TRIALS)
    return [(hits + POSITION_TRIALS * pooled) / (trials + POSITION_TRIALS)
            for hits, trials in zip(right, tried, strict=True)]  # fmt: skip


def expected_tokens(chances: Sequence[float]) -> list[float]:
    """Expected tokens of a block of k = 0, 1, .. guesses: 1 + p1 + p1 p2 + .., chances of acceptance one by one."""
    return list(accumulate(accumulate(chances, mul), initial=1.0))


def spent(costs: RoundCosts, past: Sequence[Block]) -> tuple[int, int]:
    """(tokens committed, cycles) of the blocks of a run so far."""
    length = cycles = 0
    for block in past:
        cycles += costs.cycles(len(block.guesses), length)
        length += block.kept_rows
    return length, cycles


@dataclass(frozen=True)
class AdaptiveK(Policy):
    """Up to `most` guesses a block, never slower than `share` of plain decoding, 0 < share <= 1."""

    costs: RoundCosts
    most: int
    share: Fraction = SHARE

    def __post_init__(self) -> None:
        if self.most < 0 or not 0 < self.share <= 1:
            raise ValueError(f"at least 0 guesses and a share above 0, up to 1: got {self.most} and {self.share}")

    def guesses(self, past: Sequence[Block], ahead: Ahead) -> int:
        """The k of the most expected tokens a cycle that the budget allows; no token beyond the wanted ones."""
        length, cycles = spent(self.costs, past)
        most = min(self.most, ahead.room, ahead.wanted - length - 1)
        total = length + 1 if ahead.may_end else ahead.wanted
        room = self.budget(total) - (cycles - self.costs.plain(length + 1))
        tokens = expected_tokens(acceptance(past, most))
        price = [self.costs.cycles(k, length) for k in range(most + 1)]
        allowed = [0, *(k for k in range(1, most + 1) if price[k] <= room)]
        return max(allowed, key=lambda k: tokens[k] / price[k])

    def budget(self, tokens: int) -> Fraction:
        """Cycles that a run of `tokens` tokens may take beyond those of plain decoding."""
        return self.costs.plain(tokens) * (1 / self.share - 1)
