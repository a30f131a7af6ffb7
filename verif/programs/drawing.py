# SPDX-License-Identifier: Apache-2.0
"""A case in the making: instructions from the generator, memory and constants around them.

Whoever wants a certain ending draws what comes before it, and says with which words the program then goes on.
"""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ga2.isa.disassembler import disassemble_word, format_constant
from ga2.isa.encoding import Constant
from ga2.spec import Config
from verif.programs.case import Case, End, WindowOf
from verif.programs.generator import Generator, Score
from verif.programs.generator_settings import Data
from verif.programs.layout import (
    FILL_ADDRESS,
    FILL_WORDS,
    ID_ROWS,
    SCRATCH_ADDRESS,
    SCRATCH_BYTES,
    TABLE_ADDRESS,
    TABLE_BYTES,
)
from verif.programs.regions import Region
from verif.programs.settings_files import load_settings
from verif.programs.sizes import weighted
from verif.programs.transfers import IDS_BELOW

named_settings = lru_cache(load_settings)


class Drawing:
    """What is drawn from `rng` for `config` by the settings called `settings`; SettingsError if there are none.

    `seed` names the case, which is the same for the same `rng`. `spare` and `score` are the generator's.
    """

    def __init__(
        self, config: Config, seed: int, settings: str, rng: random.Random, spare: bool, score: Score | None = None
    ) -> None:
        self.config, self.seed, self.name, self.rng = config, seed, settings, rng
        self.settings = named_settings(settings)
        self.generator = Generator(config, self.settings, rng, spare, score)

    def case(
        self, words: Sequence[int], end: End | None = None, entry: int = 0, limits: tuple[int, int] | None = None
    ) -> Case:
        """The case of these instructions, run from pc `entry`; `limits` are LEN and M if not the generator's."""
        generator = self.generator
        length, m = limits or (generator.state.length, generator.state.m)
        return Case(
            name=f"{self.config.name} {self.name} {self.seed}",
            settings=self.name,
            seed=self.seed,
            config=self.config.name,
            length=length,
            m=m,
            end=end or End(),
            windows=tuple(WindowOf(base=w.base, size=w.size, writable=w.writable) for w in generator.windows),
            memory=tuple(self._memory()),
            entry=entry,
            program=tuple(map(disassemble_word, words)),
            constants=tuple(format_constant(self._constant()) for _ in range(generator.constants)),
        )

    def _memory(self) -> Iterator[Region]:
        rng, cols = self.rng, self.config.cols
        at = FILL_ADDRESS
        for below in IDS_BELOW:
            yield Region(address=at, size=ID_ROWS * cols, kind="ids", seed=rng.getrandbits(32), below=below)
            at += ID_ROWS * cols
        left = FILL_ADDRESS + FILL_WORDS * cols - at
        half = left // 2 // cols * cols
        places = ((at, half), (at + half, left - half), (TABLE_ADDRESS, TABLE_BYTES), (SCRATCH_ADDRESS, SCRATCH_BYTES))
        for address, size in places:
            yield Region(address=address, size=size, kind=self._data(), seed=rng.getrandbits(32))

    def _data(self) -> Data:
        return weighted(self.rng, self.settings.data)

    def _constant(self) -> Constant:
        """A column's constants, the ends of their ranges included."""
        rng = self.rng
        bias = rng.choice((0, rng.randint(-5000, 5000), rng.randint(-5000, 5000), 2**31 - 1, -(2**31)))
        mult = rng.choice((0, 1 << 30, rng.randint(1 << 30, 2**31 - 1), rng.randint(1 << 30, 2**31 - 1), 2**31 - 1))
        shift = rng.choice((0, rng.randint(1, 31), 36, 38, 40, rng.randint(32, 61), 62, 63))
        return Constant(bias, mult, shift, rng.choice((rng.randint(-(1 << 15), (1 << 15) - 1), 1, -(1 << 15))))
