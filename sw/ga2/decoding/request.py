# SPDX-License-Identifier: Apache-2.0
"""What is asked of one decoding run and what comes back; both travel as JSON between host and simulator."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ga2.models.draft_file import read_draft
from ga2.models.drafts import DRAFT_FORMS
from ga2.models.host_drafts import HOST_DRAFTS
from ga2.models.shapes import VOCABULARY
from ga2.models.targets import TARGET_KINDS
from ga2.spec import Config

TARGETS = TARGET_KINDS
DRAFTS = (*DRAFT_FORMS, *HOST_DRAFTS)
FROM_FILE = "file"  # the draft's name when `draft_file` says where it is
FORMS = ("separate", "block")
MAX_NOISE = 1e6  # far beyond any logit, far below where float sums overflow


def most_guesses(config: Config) -> int:
    """The most guesses that an adaptive k gives a block: 2 ROWS rows at most, for more are more row tiles."""
    return min(2 * config.rows, config.m_max) - 1


@dataclass(frozen=True)
class Request:
    """Decode `tokens` tokens after `start`, with `k` guesses a block; k = 0 is plain decoding.

    form: a program for every guess and one for the target, or one for a whole block.
    With `adaptive` k is the most guesses of a block, and a policy chooses how many. An `end` token stops the run.
    Noise belongs to the drafts with logits, those on the chip. `draft_file` holds a draft called "file".
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
    adaptive: bool = False
    end: int | None = None
    draft_file: str | None = None

    def blocks(self, config: Config) -> tuple[int, ...]:
        """The numbers of guesses that ask for a program of their own; fewer than k if k adapts, and where the cache
        gets full."""
        if self.form != "block" or not self.k:
            return ()
        fewer = self.adaptive or self.tokens + self.k > config.max_len
        return tuple(range(1, self.k + 1)) if fewer else (self.k,)

    def check(self, config: Config) -> None:
        """ValueError with one clear line if a configuration cannot carry this out."""
        from_file = self.draft_file is not None
        rules = {
            f"unknown target '{self.target}': choose one of {', '.join(TARGETS)}": self.target in TARGETS,
            f"unknown draft '{self.draft}': choose one of {', '.join(DRAFTS)}": self.draft in DRAFTS or from_file,
            f"a draft file and the draft '{self.draft}': choose one": not from_file or self.draft == FROM_FILE,
            f"noise must be a number from 0 to {MAX_NOISE:.0f}, not {self.noise}": 0 <= self.noise <= MAX_NOISE,
            f"noise is for the logits of {' and '.join(DRAFT_FORMS)}: the draft '{self.draft}' has none":
                self.noise == 0 or self.draft in DRAFT_FORMS,
            f"k must be from 0 to {config.m_max - 1}, not {self.k}": 0 <= self.k < config.m_max,
            f"start must be from 0 to {VOCABULARY - 1}, not {self.start}": 0 <= self.start < VOCABULARY,
            f"end must be from 0 to {VOCABULARY - 1}, not {self.end}": self.end is None or 0 <= self.end < VOCABULARY,
            f"tokens must be from 1 to {config.max_len} (MAX_LEN of {config.name}), not {self.tokens}": 1
            <= self.tokens
            <= config.max_len,
            f"unknown form '{self.form}': choose one of {', '.join(FORMS)}": self.form in FORMS,
            f"a program a block guesses on the chip: the draft '{self.draft}' guesses on the host":
                self.form != "block" or self.draft in DRAFT_FORMS,
            "seeds must be from 0 up": self.target_seed >= 0 and self.draft_seed >= 0,
        }  # fmt: skip
        for message, holds in rules.items():
            if not holds:
                raise ValueError(message)
        if self.draft_file is not None:
            read_draft(Path(self.draft_file), VOCABULARY)

    def plainly(self) -> "Request":
        """The same tokens, decoded plainly."""
        return replace(self, k=0, adaptive=False)

    @property
    def guesses_on_host(self) -> bool:
        """Whether the draft costs the core nothing."""
        return self.draft not in DRAFT_FORMS


@dataclass(frozen=True)
class Outcome:
    """One finished run. Cycles and counters are sums over its programs; wall is first START to last irq, in cycles.

    guesses: k of each block. discarded: emitted tokens beyond those wanted, or after the end token.
    `golden_match` says whether all external memory, every scratchpad byte and every counter equalled the golden
    model's after every program, and `difference` names the first place where not; both None without a comparison.
    """

    tokens: list[int]
    accepted: int
    proposed: int
    blocks: int
    guesses: list[int]
    discarded: int
    programs: int
    cycles: int
    counters: dict[str, int]
    wall: int
    golden_match: bool | None = None
    difference: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)
