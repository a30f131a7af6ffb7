# SPDX-License-Identifier: Apache-2.0
"""256 tokens of the structured target on `nano` with drafts of all qualities, k fixed and adaptive.

The text is known, so the loop is played on it; the cycles are the timing model's of every program that it would run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ga2.decoding.request import most_guesses
from ga2.device.protocol import run_sync
from ga2.models.drafts import make_table, table_choices
from ga2.models.host_drafts import HostDraft, SuffixDraft, bigram_of
from ga2.models.targets import structured_target, successor
from ga2.spec import load_config
from ga2.speculation.adaptive import AdaptiveK, spent
from ga2.speculation.costs import RoundCosts, SeparateCosts
from ga2.speculation.greedy import Run, play
from ga2.speculation.players import TextPlayer
from ga2.speculation.policy import Policy
from ga2.stimulus import build_session

CONFIG = "nano"
TOKENS = 256
NOISES = (0, 3, 4, 5, 6, 12)
FORMS = ("table", "matmul")
HALF = TOKENS // 2


class Patterned(HostDraft):
    """Guesses the text's own token at the positions that `right` says, and the token after it elsewhere."""

    def __init__(self, text: tuple[int, ...], right: Callable[[int], bool]) -> None:
        self.text, self.right = text, right

    def next_token(self, text: Sequence[int]) -> int:
        """Right or wrong, by position."""
        return (self.text[len(text)] + (not self.right(len(text)))) % (max(self.text) + 1)


@dataclass(frozen=True)
class Shown:
    """A draft's run with an adaptive k: k of every block, accepted guesses, speed-ups over plain, the best fixed k."""

    title: str
    guesses: tuple[int, ...]
    accepted: int
    speedup: float
    best_fixed: int
    best_speedup: float


@lru_cache
def text() -> tuple[int, ...]:
    """The rule's tokens, long enough for the last block."""
    tokens = [0]
    while len(tokens) < TOKENS + 2 * most_guesses(load_config(CONFIG)):
        tokens.append(successor(tokens[-1]))
    return tuple(tokens)


@lru_cache
def costs(form: str) -> RoundCosts:
    """Cycles of a round with the draft in a form on the chip, or on the host."""
    return SeparateCosts(build_session(CONFIG, draft="table" if form == "host" else form), form == "host")


def noisy(noise: float) -> HostDraft:
    """The bigram with noise on its logits."""
    return bigram_of(table_choices(make_table("structured", structured_target(), noise, 1)))


def decode(draft: HostDraft, k: int | Policy) -> Run:
    """The host loop on the text."""
    return run_sync(play(TextPlayer(text(), draft), k=k, start=text()[0], tokens=TOKENS))


def shown(title: str, draft: HostDraft, form: str) -> Shown:
    """One draft, adaptive and with every fixed k from 1 on."""
    price, most = costs(form), most_guesses(load_config(CONFIG))
    plain = price.plain(TOKENS)
    adaptive = decode(draft, AdaptiveK(price, most))
    fixed = {k: plain / spent(price, decode(draft, k).blocks)[1] for k in range(1, most + 1)}
    best = max(fixed, key=lambda k: fixed[k])
    return Shown(title, tuple(len(block.guesses) for block in adaptive.blocks), adaptive.ledger.accepted,
                 plain / spent(price, adaptive.blocks)[1], best, fixed[best])  # fmt: skip


@lru_cache
def by_noise(form: str) -> tuple[Shown, ...]:
    """Every noise, in a form on the chip."""
    return tuple(shown(f"noise {noise:g}", noisy(noise), form) for noise in NOISES)


@lru_cache
def changing() -> tuple[Shown, ...]:
    """Drafts that are not what they were, at the cost of the matmul form, and one without a table, on the host."""
    patterns: dict[str, Callable[[int], bool]] = {
        "always wrong": lambda at: False,
        "right, from the middle on wrong": lambda at: at <= HALF,
        "wrong, from the middle on right": lambda at: at > HALF,
        "right until trusted (24 tokens), then wrong": lambda at: at <= 24,
        "right and wrong in turns of 32": lambda at: at // 32 % 2 == 0,
    }
    drafts = [shown(title, Patterned(text(), right), "matmul") for title, right in patterns.items()]
    return (*drafts, shown("suffix lookup (host)", SuffixDraft(), "host"))
