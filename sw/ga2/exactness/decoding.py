# SPDX-License-Identifier: Apache-2.0
"""Speculative greedy decoding beside plain decoding on the same cache, with guesses of every kind."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ga2.exactness.cases import DecodeCase
from ga2.exactness.guesses import SCRIPTED, OnCore, Place
from ga2.exactness.subject import Prepared, Subject
from ga2.speculation.greedy import Run, play
from ga2.speculation.ledger import LedgerError, agreement
from ga2.speculation.players import Player, chained

ALL_RIGHT = ("right", "target")


class ScriptedPlayer(Player):
    """A target on a cache that begins at row `first`, and guesses as the case says.

    truth: plain tokens (start first) for the guesses that need them. `target` guesses with the target itself, whose
    one-row steps leave their keys and values in the rows that the block then overwrites; `draft` with the model's
    draft program.
    """

    def __init__(self, subject: Subject, prepared: Prepared, case: DecodeCase, truth: Sequence[int]) -> None:
        self.subject, self.prepared, self.case, self.truth = subject, prepared, case, truth
        self.first = case.setting.length
        self.capacity = subject.config.max_len - self.first
        self.on_core: dict[str, OnCore] = {"target": self._target, "draft": self._draft}

    async def propose(self, text: Sequence[int], count: int) -> tuple[int, ...]:
        """Guesses as the case says."""
        places = iter(range(count))

        async def guess(token: int) -> int:
            number = next(places)
            at = len(text) - 1 + number
            if self.case.guesses in self.on_core:
                return await self.on_core[self.case.guesses](token, at)
            if at + 1 >= len(self.truth):
                raise LedgerError(f"a guess for token {at + 1}, and no block should look that far")
            place = Place(self.truth[at + 1], at, number, count, self.prepared.source)
            return SCRIPTED[self.case.guesses](place)

        return await chained(guess, text[-1], count)

    async def _target(self, token: int, length: int) -> int:
        return (await self.verify([token], length))[0]

    async def _draft(self, token: int, _length: int) -> int:
        self.subject.programs += 1
        return await self.prepared.player.guess(token)

    async def verify(self, tokens: Sequence[int], cache_length: int) -> list[int]:
        """The target's choices."""
        self.subject.programs += 1
        return await self.prepared.player.verify(tokens, self.first + cache_length)


@dataclass(frozen=True)
class Decodings:
    """Plain and speculative decoding of a case. caches: keys and values of the rows from the case's cache on."""

    plain: Run
    speculative: Run
    plain_cache: np.ndarray
    cache: np.ndarray


async def decode_both(subject: Subject, case: DecodeCase) -> Decodings:
    """Plainly, as far as the other run can look; then speculatively, on the same cache in front of new garbage."""
    prepared = await subject.prepare(case.setting)
    begin = case.setting.length

    async def decode(k: int, count: int, truth: Sequence[int]) -> tuple[Run, np.ndarray]:
        await subject.spoil_cache(prepared, begin)
        run = await play(ScriptedPlayer(subject, prepared, case, truth), k=k, start=case.start, tokens=count)
        return run, (await subject.cache(prepared))[:, : begin + run.ledger.cache_length]

    room = subject.config.max_len - begin
    plain, plain_cache = await decode(0, min(case.count + case.k + 1, room), ())
    speculative, cache = await decode(case.k, case.count, plain.tokens)
    return Decodings(plain, speculative, plain_cache, cache)


def differences(case: DecodeCase, seen: Decodings) -> list[str]:
    """Everything in which speculative decoding differs from plain decoding, its counts included; one line each."""
    plain, speculative, found = seen.plain, seen.speculative, []
    if speculative.tokens != plain.tokens[: len(speculative.tokens)]:
        found.append(f"tokens {speculative.tokens}, plain {plain.tokens[: len(speculative.tokens)]}")
    rows = min(seen.cache.shape[1], seen.plain_cache.shape[1])
    if not np.array_equal(seen.cache[:, :rows], seen.plain_cache[:, :rows]):
        found.append("the caches differ")
    at, right = 0, 0
    for block in speculative.blocks:
        truth = plain.tokens[at + 1 : at + 1 + len(block.guesses)]
        if len(truth) < len(block.guesses):
            return [*found, f"a block after token {at}, and the plain tokens end before it does"]
        at, right = at + len(block.emitted), right + agreement(block.guesses, truth)
    accepted, proposed = speculative.ledger.accepted, speculative.ledger.proposed
    if accepted != right:
        found.append(f"{accepted} of {proposed} guesses accepted, by the plain tokens {right}")
    wanted = proposed if case.guesses in ALL_RIGHT else 0 if case.guesses == "wrong" else accepted
    if accepted != wanted:
        found.append(f"{accepted} of {proposed} {case.guesses} guesses accepted, expected {wanted}")
    return found


async def check_decoding(subject: Subject, case: DecodeCase) -> list[str]:
    """What is wrong with one case, a line each."""
    return differences(case, await decode_both(subject, case))
