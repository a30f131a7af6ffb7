# SPDX-License-Identifier: Apache-2.0
"""Decoding with a program a block beside decoding with a program a guess, on the timing model."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache

from capra.library import block_name
from ga2.bench.bounds import Bounds, bounds
from ga2.bench.tasks import TOKENS
from ga2.decoding.backends import MEMORY_BYTES
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.spec import CONFIG_NAMES
from ga2.speculation.block_player import FORMS
from ga2.speculation.chip import Decoded, decode
from ga2.stimulus import build_session

SIZES = (1, 2, 3, 4)
NOISES = (0.0, 3.0, 4.0)


@dataclass(frozen=True)
class Compared:
    """32 tokens of the structured target with the matmul draft, in both forms; the same guesses and choices."""

    config: str
    noise: float
    guesses: int
    plain: int  # cycles
    separate: Decoded
    block: Decoded

    @property
    def equal(self) -> bool:
        """The same tokens, and in every block the same guesses and choices."""
        return self.separate.run == self.block.run

    def speedup(self, form: Decoded) -> float:
        """Over plain decoding."""
        return self.plain / form.cycles

    @property
    def saved(self) -> float:
        """Share of the cycles of the separate programs that the one program does without."""
        return 1 - self.block.cycles / self.separate.cycles


@cache
def decoded(config: str, noise: float, guesses: int, form: str) -> Decoded:
    """The decoding on the golden device."""
    session = build_session(config, noise=noise, blocks=SIZES)
    device = GoldenDevice(session.config, MEMORY_BYTES)
    return run_sync(decode(device, session, k=guesses, start=0, tokens=TOKENS, player_of=FORMS[form]))


def compared(config: str, noise: float, guesses: int) -> Compared:
    """Both forms of one decoding."""
    plain = decoded(config, NOISES[0], 0, "separate").cycles
    separate, block = (decoded(config, noise, guesses, form) for form in ("separate", "block"))
    return Compared(config, noise, guesses, plain, separate, block)


def every() -> Iterator[Compared]:
    """All that the page shows."""
    for config in CONFIG_NAMES:
        for noise in NOISES:
            for guesses in SIZES:
                yield compared(config, noise, guesses)


def bound_of(config: str, form: Decoded) -> Bounds:
    """The bounds of a decoding's programs, summed."""
    session = build_session(config, blocks=SIZES)
    least = [bounds(session.model.programs[run.entry].graph, session.config, run.length, run.m)
             for run in form.programs_run]  # fmt: skip
    return Bounds(*(sum(getattr(one, field.name) for one in least) for field in fields(Bounds)))


def sizes_of_programs(config: str) -> tuple[int, list[int]]:
    """Instructions of all programs that are no blocks, and of the block of each size, with the matmul draft."""
    session = build_session(config, blocks=SIZES)
    sizes = [len(session.model.programs[block_name("matmul", size)].instructions) for size in SIZES]
    return len(session.model.image.instructions) - sum(sizes), sizes
