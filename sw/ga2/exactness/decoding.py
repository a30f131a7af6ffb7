# SPDX-License-Identifier: Apache-2.0
"""Speculative greedy decoding beside plain decoding on the same cache, with guesses of every kind."""

from collections.abc import Sequence

import numpy as np

from ga2.exactness.cases import DecodeCase
from ga2.exactness.subject import Prepared, Subject
from ga2.models.shapes import VOCABULARY
from ga2.speculation.greedy import Run, play
from ga2.speculation.players import Player, chained


class ScriptedPlayer(Player):
    """A target on a cache that begins at row `first`, and guesses as the case says.

    truth: plain tokens (start first) for the guesses that need them. `target` guesses with the target itself, whose
    one-row steps leave their keys and values in the rows that the block then overwrites.
    """

    def __init__(self, subject: Subject, prepared: Prepared, case: DecodeCase, truth: Sequence[int]) -> None:
        self.subject, self.prepared, self.case, self.truth = subject, prepared, case, truth
        self.first = case.setting.length
        self.capacity = subject.config.max_len - self.first
        self.made = 0  # guesses of this block

    async def propose(self, text: Sequence[int], count: int) -> tuple[int, ...]:
        """Guesses as the case says."""
        self.kept, self.made = len(text) - 1, 0
        return await chained(self._guess, text[-1], count)

    async def _guess(self, token: int) -> int:
        at, self.made = self.kept + self.made, self.made + 1
        if self.case.guesses == "target":
            return (await self._choices([token], at))[0]
        if self.case.guesses == "random":
            return int(self.prepared.source.integers(VOCABULARY))
        right = self.case.guesses == "right" or (self.case.guesses == "alternating" and at % 2 == 0)
        return self.truth[at + 1] if right else (self.truth[at + 1] + 1) % VOCABULARY

    async def verify(self, tokens: Sequence[int], cache_length: int) -> list[int]:
        """The target's choices."""
        return await self._choices(tokens, cache_length)

    async def _choices(self, tokens: Sequence[int], length: int) -> list[int]:
        self.subject.programs += 1
        return await self.prepared.player.verify(tokens, self.first + length)


async def check_decoding(subject: Subject, case: DecodeCase) -> list[str]:
    """Everything in which speculative decoding differs from plain decoding; one line each."""
    prepared = await subject.prepare(case.setting)
    begin = case.setting.length

    async def decode(k: int, count: int, truth: Sequence[int]) -> tuple[Run, np.ndarray]:
        await subject.spoil_cache(prepared, begin)
        run = await play(ScriptedPlayer(subject, prepared, case, truth), k=k, start=case.start, tokens=count)
        return run, (await subject.cache(prepared))[:, : begin + run.ledger.cache_length]

    plain, plain_cache = await decode(0, case.count + case.k + 1, ())
    speculative, cache = await decode(case.k, case.count, plain.tokens)
    found = []
    if speculative.tokens != plain.tokens[: len(speculative.tokens)]:
        found.append(f"tokens {speculative.tokens}, plain {plain.tokens[: len(speculative.tokens)]}")
    rows = min(cache.shape[1], plain_cache.shape[1])
    if not np.array_equal(cache[:, :rows], plain_cache[:, :rows]):
        found.append("the caches differ")
    accepted, proposed = speculative.ledger.accepted, speculative.ledger.proposed
    wanted = {"right": proposed, "target": proposed, "wrong": 0}.get(case.guesses, accepted)
    if accepted != wanted:
        found.append(f"{accepted} of {proposed} {case.guesses} guesses accepted, expected {wanted}")
    return found
