# SPDX-License-Identifier: Apache-2.0
"""Every draft with every k on targets that differ: counts of the host loop, cycles of its programs, and the formula.

Greedy speculation emits the target's plain tokens whatever is guessed. So the loop is played on the target's int8 text,
and its cycles are those that the timing model gives for its programs: what the golden device runs and counts.
"""

from dataclasses import dataclass
from functools import lru_cache

from ga2.device.protocol import run_sync
from ga2.models.calibration import target_ranges
from ga2.models.drafts import DRAFT_FORMS, make_table, table_choices
from ga2.models.host_drafts import HOST_DRAFTS, HostDraft, bigram_of, make_host_draft
from ga2.models.integer import EMPTY_INTEGER_CACHE, IntegerTarget
from ga2.models.targets import make_target
from ga2.speculation.adaptive import expected_tokens, spent
from ga2.speculation.costs import RoundCosts, SeparateCosts
from ga2.speculation.greedy import Run, play
from ga2.speculation.players import TextPlayer
from ga2.stimulus import build_session

CONFIG = "nano"
TOKENS = 32
GUESSES = range(1, 7)
TARGETS = (("random", 1), ("random", 30), ("random", 96), ("random", 147), ("sharp", 107))
DRAFTS = (*DRAFT_FORMS, *HOST_DRAFTS)


@dataclass(frozen=True)
class Point:
    """A run of `TOKENS` tokens with one k. `predicted` is the formula's speed-up, `speedup` that of the run."""

    k: int
    accepted: int
    proposed: int
    blocks: int
    cycles: int
    speedup: float
    predicted: float


@dataclass(frozen=True)
class Compared:
    """A draft on a target. `chance`: the share of its guesses after the plain text's prefixes that are right."""

    target: str
    seed: int
    draft: str
    chance: float
    points: tuple[Point, ...]

    @property
    def title(self) -> str:
        """The target's name."""
        return f"{self.target} {self.seed}"

    @property
    def measured_best(self) -> Point:
        """The k of the largest speed-up; the smallest such k."""
        return max(self.points, key=lambda point: point.speedup)

    @property
    def predicted_best(self) -> Point:
        """The k that the formula would choose."""
        return max(self.points, key=lambda point: point.predicted)


@lru_cache
def plain_text(target: str, seed: int, count: int) -> tuple[int, ...]:
    """Token 0 and the `count` tokens that the int8 target says after it."""
    weights = make_target(target, seed)
    model, cache, text = IntegerTarget(weights, target_ranges(target, weights)), EMPTY_INTEGER_CACHE, [0]
    while len(text) <= count:
        block = model.run_block(text[-1:], cache)
        cache = cache.extended(block)
        text += block.choices
    return tuple(text)


def draft_of(name: str, target: str, seed: int) -> HostDraft:
    """The draft's guesses; those of the chip's two forms are the bigram's choices."""
    weights = make_target(target, seed)
    if name in DRAFT_FORMS:
        return bigram_of(table_choices(make_table(target, weights, 0.0, 1)))
    return make_host_draft(name, target, weights)


def costs_of(draft: str) -> RoundCosts:
    """Cycles of a round on `CONFIG`: the same for every target of the tiny model's sizes."""
    on_host = draft in HOST_DRAFTS
    return SeparateCosts(build_session(CONFIG, draft=DRAFT_FORMS[0] if on_host else draft), on_host)


def decode(target: str, seed: int, draft: str, k: int) -> Run:
    """The host loop on the target's text."""
    text = plain_text(target, seed, TOKENS + max(GUESSES) + 1)
    return run_sync(play(TextPlayer(text, draft_of(draft, target, seed)), k=k, start=text[0], tokens=TOKENS))


def one_step_chance(target: str, seed: int, draft: str) -> float:
    """Share of the text's `TOKENS` tokens that the draft guesses, given all before."""
    text, guesser = plain_text(target, seed, TOKENS + max(GUESSES) + 1), draft_of(draft, target, seed)
    return sum(guesser.next_token(text[:at]) == text[at] for at in range(1, TOKENS + 1)) / TOKENS


def predicted_speedup(costs: RoundCosts, chance: float, k: int) -> float:
    """E t_plain / (k t_draft + t_verify(k + 1)), E = 1 + a + .. + a^k: guesses taken as independent.

    Times are means over the cache lengths 0 .. TOKENS - 1.
    """
    block = sum(costs.cycles(k, length) for length in range(TOKENS))
    return expected_tokens([chance] * k)[k] * costs.plain(TOKENS) / block


@lru_cache
def compared(target: str, seed: int, draft: str) -> Compared:
    """A draft on a target, with every k."""
    costs, chance = costs_of(draft), one_step_chance(target, seed, draft)
    points = []
    for k in GUESSES:
        run = decode(target, seed, draft, k)
        cycles = spent(costs, run.blocks)[1]
        books = run.ledger
        points.append(Point(k, books.accepted, books.proposed, books.blocks, cycles, costs.plain(TOKENS) / cycles,
                            predicted_speedup(costs, chance, k)))  # fmt: skip
    return Compared(target, seed, draft, chance, tuple(points))


def everything() -> list[Compared]:
    """Every draft on every target."""
    return [compared(target, seed, draft) for target, seed in TARGETS for draft in DRAFTS]
