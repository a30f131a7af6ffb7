# SPDX-License-Identifier: Apache-2.0
"""What is asked of one decoding run and what comes back; both travel as JSON between host and simulator."""

from dataclasses import asdict, dataclass
from typing import Any

from ga2.spec import Config

TARGETS = ("structured", "random", "sharp")
DRAFTS = ("matmul", "table")
FORMS = ("separate", "block")
VOCABULARY = 16
MAX_NOISE = 1e6  # far beyond any logit, far below where float sums overflow


@dataclass(frozen=True)
class Request:
    """Decode `tokens` tokens after `start`, with `k` guesses a block; k = 0 is plain decoding.

    form: a program for every guess and one for the target, or one for a whole block.
    """

    target: str = "structured"
    target_seed: int = 1
    draft: str = "matmul"
    noise: float = 0.0
    draft_seed: int = 1
    k: int = 3
    start: int = 0
    tokens: int = 32
    form: str = "separate"

    def blocks(self, config: Config) -> tuple[int, ...]:
        """The numbers of guesses that ask for a program of their own; fewer than k only where the cache gets full."""
        if self.form != "block" or not self.k:
            return ()
        return tuple(range(1, self.k + 1)) if self.tokens + self.k > config.max_len else (self.k,)

    def check(self, config: Config) -> None:
        """ValueError with one clear line if a configuration cannot carry this out."""
        rules = {
            f"unknown target '{self.target}': choose one of {', '.join(TARGETS)}": self.target in TARGETS,
            f"unknown draft '{self.draft}': choose one of {', '.join(DRAFTS)}": self.draft in DRAFTS,
            f"noise must be a number from 0 to {MAX_NOISE:.0f}, not {self.noise}": 0 <= self.noise <= MAX_NOISE,
            f"k must be from 0 to {config.m_max - 1}, not {self.k}": 0 <= self.k < config.m_max,
            f"start must be from 0 to {VOCABULARY - 1}, not {self.start}": 0 <= self.start < VOCABULARY,
            f"tokens must be from 1 to {config.max_len} (MAX_LEN of {config.name}), not {self.tokens}": 1
            <= self.tokens
            <= config.max_len,
            f"unknown form '{self.form}': choose one of {', '.join(FORMS)}": self.form in FORMS,
            "seeds must be from 0 up": self.target_seed >= 0 and self.draft_seed >= 0,
        }
        for message, holds in rules.items():
            if not holds:
                raise ValueError(message)


@dataclass(frozen=True)
class Outcome:
    """One finished run. Cycles and counters are sums over its programs; wall is first START to last irq, in cycles.

    `golden_match` says whether all external memory, every scratchpad byte and every counter equalled the golden
    model's after every program, and `difference` names the first place where not; both None without a comparison.
    """

    tokens: list[int]
    accepted: int
    proposed: int
    blocks: int
    programs: int
    cycles: int
    counters: dict[str, int]
    wall: int
    golden_match: bool | None = None
    difference: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)
