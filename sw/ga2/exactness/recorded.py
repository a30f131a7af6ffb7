# SPDX-License-Identifier: Apache-2.0
"""Recorded checks that need a core, on whichever device: causality, the verifier, the structured rule through the loop.

Each returns what is wrong, a line each; the bytes and counters of its programs are compared by a `CheckedDevice`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capra import interpret
from ga2.device.protocol import Device
from ga2.exactness.rule import rule_tokens
from ga2.models.reference import fill_cache, run_block
from ga2.models.targets import sharp_target
from ga2.speculation.chip import ChipPlayer, ProgramRun, decode
from ga2.speculation.session import Session
from ga2.stimulus import build_session, prefill_steps, run_steps

SHARP_SEED = 2
CACHE = (3, 8, 1, 12)
BLOCKS = ((1, 2, 3, 4), (1, 2, 3, 12), (1, 2, 9, 4), (5, 2, 3, 4))
"""The first is the base; the others differ from it from row 3, 2 and 0 on."""
VERIFIED = ((9,), (9, 10), (9, 10, 9, 4), (9, 10, 9, 4, 2))
BOUNDS = {"logits": 0.15, "attention": 0.12, "k": 0.12, "v": 0.12}
"""Relative L2 error against float."""
RULE_GUESSES = (1, 2, 4)
RULE_NOISES = (0.0, 3.0, 12.0)


@dataclass(frozen=True)
class Causality:
    """Logits of blocks on one cache. changed[i]: the rows in which block i + 1 differs from block 0, bit for bit."""

    blocks: tuple[tuple[int, ...], ...]
    logits: tuple[NDArray, ...]

    @property
    def changed(self) -> list[list[int]]:
        """Row numbers."""
        base, *others = self.logits
        return [[row for row in range(len(base)) if not np.array_equal(base[row], each[row])] for each in others]

    @property
    def first_changed_token(self) -> list[int]:
        """The first row whose token is another than block 0's; a row before it must not change."""
        base, *others = self.blocks
        return [next(row for row, pair in enumerate(zip(base, each, strict=True)) if pair[0] != pair[1])
                for each in others]  # fmt: skip


async def outputs(player: ChipPlayer, tokens: Sequence[int], length: int) -> dict[str, NDArray]:
    """One target pass on `length` cache rows: what it stored, a row a token."""
    await player.verify(tokens, length)
    found = {}
    for name, symbol in player.session.target.outputs.items():
        first = length if name in ("k", "v") else 0
        data = await player.device.read(symbol.address + first * symbol.pitch, len(tokens) * symbol.pitch)
        found[name] = symbol.unpack(data)
    return found


async def causality(device: Device, blocks: Sequence[Sequence[int]] = BLOCKS, cache: Sequence[int] = CACHE,
                    seed: int = SHARP_SEED) -> Causality:  # fmt: skip
    """The logits of every block on the same cache, on the sharp target."""
    session = build_session(device.config, "sharp", seed)
    player = await run_steps(device, session, prefill_steps(session, cache))
    logits = [(await outputs(player, block, len(cache)))["logits"] for block in blocks]
    return Causality(tuple(tuple(block) for block in blocks), tuple(logits))


async def check_causality(device: Device) -> list[str]:
    """The recorded blocks differ from the changed token's row on, and not before."""
    seen = await causality(device)
    rows = len(BLOCKS[0])
    return [
        f"block {block}: rows {changed} differ from those of {BLOCKS[0]}, expected {list(range(first, rows))}"
        for block, changed, first in zip(BLOCKS[1:], seen.changed, seen.first_changed_token, strict=True)
        if changed != list(range(first, rows))
    ]


def relative_error(found: NDArray, exact: NDArray) -> float:
    """Relative L2 error."""
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))


async def check_verifier(device: Device) -> list[str]:
    """The compiled verifier gives what its graph means in integers, and lies within `BOUNDS` of float."""
    session, found = build_session(device.config, "sharp", SHARP_SEED), []
    weights, length = sharp_target(SHARP_SEED), len(CACHE)
    player = await run_steps(device, session, prefill_steps(session, CACHE))
    caches = await _cached(player, length)
    for block in VERIFIED:
        seen = await outputs(player, block, length)
        inputs = {"ids": np.array(block)[:, np.newaxis], **caches}
        meant = interpret(session.target.graph, session.model.spec, inputs, length, len(block))
        exact = run_block(weights, block, fill_cache(weights, CACHE))
        for name in session.target.outputs:
            if not np.array_equal(seen[name], meant[name].reshape(seen[name].shape)):
                found.append(f"block {block}: {name} is not what the graph means")
        for name, bound in BOUNDS.items():
            error = relative_error(seen[name] * session.model.spec.scale(name), getattr(exact, name))
            if not error <= bound:
                found.append(f"block {block}: {name} is {error:.3f} away from float, allowed is {bound}")
    return found


async def _cached(player: ChipPlayer, length: int) -> dict[str, NDArray]:
    """Keys and values of the first rows, as stored."""
    caches = player.session.model.caches
    return {name: symbol.unpack(await player.device.read(symbol.address, length * symbol.pitch)).astype(np.int64)
            for name, symbol in caches.items()}  # fmt: skip


def wrong_guesses(session: Session, runs: Sequence[ProgramRun]) -> list[str]:
    """Guesses of the draft's program that are not the float table's."""
    return [
        f"after token {token} the draft's program guesses {choice}, its float table {session.table_choice[token]}"
        for run in runs
        if run.entry == session.draft.name
        for token, choice in zip(run.ids, run.choices, strict=True)
        if choice != session.table_choice[token]
    ]


async def check_rule(device: Device, k: int, noise: float, tokens: int = 20) -> list[str]:
    """The structured rule through the loop; a perfect draft is accepted whole, the draft's program is its table."""
    session, found = build_session(device.config, noise=noise), []
    run = await decode(device, session, k=k, start=0, tokens=tokens)
    if run.tokens != rule_tokens(0, tokens):
        found.append(f"tokens {run.tokens}, by the rule {rule_tokens(0, tokens)}")
    if noise == 0 and run.accepted != run.proposed:
        found.append(f"{run.accepted} of {run.proposed} perfect guesses accepted")
    if run.programs != run.proposed + run.blocks:
        found.append(f"{run.programs} programs for {run.proposed} guesses and {run.blocks} blocks")
    return found + wrong_guesses(session, run.programs_run)
