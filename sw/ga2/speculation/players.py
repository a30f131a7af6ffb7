# SPDX-License-Identifier: Apache-2.0
"""Who plays the two parts of the host loop: a draft that guesses and a target that verifies.

`Player` is all that the loop knows. The float player runs the reference models, the rule player a bare next-token
table, the text player a target whose text is known; the chip's player is in `ga2.speculation.chip`, and the one whose
draft guesses on the host in `ga2.speculation.host_draft`.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence

from ga2.models.drafts import table_choices
from ga2.models.host_drafts import HostDraft
from ga2.models.reference import EMPTY_CACHE, BlockTrace, run_block
from ga2.models.shapes import Array, Weights
from ga2.speculation.accept import Block


class Player(ABC):
    """A draft and a target with a cache. A smaller `cache_length` than before is a rollback."""

    capacity: int  # rows that the cache can hold

    @abstractmethod
    async def propose(self, text: Sequence[int], count: int) -> tuple[int, ...]:
        """The draft's `count` tokens after the text so far, start first."""

    @abstractmethod
    async def verify(self, tokens: Sequence[int], cache_length: int) -> list[int]:
        """The target's choice of every row of a block on the first `cache_length` cached rows."""

    async def block(self, text: Sequence[int], count: int, cache_length: int) -> Block:
        """One round: propose, then verify the text's last token, which is not cached yet, and the guesses."""
        guesses = await self.propose(text, count)
        choices = await self.verify((text[-1], *guesses), cache_length)
        return Block(text[-1], guesses, tuple(choices))


async def chained(guess: Callable[[int], Awaitable[int]], last: int, count: int) -> tuple[int, ...]:
    """`count` guesses in a chain: each is the draft's token after the one before, the first after `last`."""
    guesses: list[int] = []
    for _ in range(count):
        guesses.append(await guess(guesses[-1] if guesses else last))
    return tuple(guesses)


class RulePlayer(Player):
    """Target and draft as next-token tables: a context-free pair, to study the loop without a model."""

    def __init__(self, target: Sequence[int], draft: Sequence[int], capacity: int = 1 << 16) -> None:
        self.target, self.draft, self.capacity = target, draft, capacity

    async def guess(self, token: int) -> int:
        """The draft table's entry."""
        return self.draft[token]

    async def propose(self, text: Sequence[int], count: int) -> tuple[int, ...]:
        """Entry after entry."""
        return await chained(self.guess, text[-1], count)

    async def verify(self, tokens: Sequence[int], cache_length: int) -> list[int]:
        """The target table's entry of every row."""
        return [self.target[token] for token in tokens]


class TextPlayer(Player):
    """A target known by its plain text alone (start first), and a draft on the host.

    The accept rule reads the choices up to the first that differs from its guess, and those are the text's own; the
    later ones, which a real target would give for a text that is not its own, are never looked at. The text must go
    on for as many tokens as the last block has rows.
    """

    def __init__(self, text: Sequence[int], draft: HostDraft, capacity: int = 1 << 16) -> None:
        self.text, self.draft, self.capacity = tuple(text), draft, capacity

    async def propose(self, text: Sequence[int], count: int) -> tuple[int, ...]:
        """The draft's guesses."""
        return self.draft.propose(text, count)

    async def verify(self, tokens: Sequence[int], cache_length: int) -> list[int]:
        """The text's token after every row."""
        choices = self.text[cache_length + 1 : cache_length + 1 + len(tokens)]
        if len(choices) < len(tokens):
            raise ValueError(f"the text has {len(self.text)} tokens: a block at {cache_length} looks beyond it")
        return list(choices)


class FloatPlayer(Player):
    """The float reference as target, a logit table as draft. `traces` keeps every block's tensors for calibration."""

    def __init__(self, weights: Weights, table: Array, capacity: int = 1 << 16) -> None:
        self.weights, self.draft, self.capacity = weights, table_choices(table), capacity
        self.cache = EMPTY_CACHE
        self.traces: list[BlockTrace] = []

    async def guess(self, token: int) -> int:
        """The lowest index of the largest logit in the draft's row."""
        return self.draft[token]

    async def propose(self, text: Sequence[int], count: int) -> tuple[int, ...]:
        """Guess after guess."""
        return await chained(self.guess, text[-1], count)

    async def verify(self, tokens: Sequence[int], cache_length: int) -> list[int]:
        """One block of the reference; its keys and values follow the `cache_length` rows that are kept."""
        kept = self.cache.truncated(cache_length)
        trace = run_block(self.weights, tokens, kept)
        self.cache = kept.extended(trace.k, trace.v)
        self.traces.append(trace)
        return trace.choices
