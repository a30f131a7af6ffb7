# SPDX-License-Identifier: Apache-2.0
"""A seed becomes a case, and a case's program what the benches run."""

import random
from collections.abc import Iterator
from functools import lru_cache

from ga2.device.protocol import FaultReport
from ga2.golden.resolve import resolve
from ga2.isa.disassembler import disassemble_word, format_constant
from ga2.isa.encoding import Constant
from ga2.spec import Config
from ga2.timing.model import Refusal, timeline
from verif.programs.case import Case, End, WindowOf
from verif.programs.endings import HALT, NO_OP, beyond_limits, faulty
from verif.programs.generator import Generator, Score
from verif.programs.generator_settings import Data, Settings
from verif.programs.layout import (
    FILL_ADDRESS,
    FILL_WORDS,
    ID_ROWS,
    SCRATCH_ADDRESS,
    SCRATCH_BYTES,
    TABLE_ADDRESS,
    TABLE_BYTES,
)
from verif.programs.program import Program
from verif.programs.regions import Region
from verif.programs.settings_files import load_settings
from verif.programs.sizes import weighted
from verif.programs.transfers import IDS_BELOW

DEFAULT = "default"
YOUNGER = 2  # instructions behind one that is refused: they must not run
SOON = (1, 4)  # cycles: a watchdog's period that ends every program
LATE = 1.1  # an abort comes at most so much later than the predicted end
named_settings = lru_cache(load_settings)


def draw_case(config: Config, seed: int, settings: str = DEFAULT, score: Score | None = None) -> Case:
    """The case of a seed. SettingsError for unknown settings; with a `score`, what it prefers depends on that too."""
    return _Drawing(config, seed, settings, named_settings(settings), score).case()


def random_program(config: Config, seed: int, settings: str = "base") -> Program:
    """The program of a seed, drawn by settings whose programs all end with HALT or a precise fault."""
    return draw_case(config, seed, settings).to_program()


class _Drawing:
    """One case in the making."""

    def __init__(self, config: Config, seed: int, name: str, settings: Settings, score: Score | None) -> None:
        self.config, self.seed, self.name, self.settings = config, seed, name, settings
        self.rng = random.Random(seed)
        self.kind = weighted(self.rng, settings.endings)
        self.fault = weighted(self.rng, settings.faults) if self.kind == "fault" else ""
        self.generator = Generator(config, settings, self.rng, not self.fault, score)

    def case(self) -> Case:
        """Draw it."""
        generator, rng = self.generator, self.rng
        generator.prologue()
        generator.body(rng.randint(*self.settings.instructions))
        words, entry, about = [*generator.words], 0, self.fault
        length, m = generator.state.length, generator.state.m
        if self.fault == "pc":
            entry = self.config.imem_depth - len(words)
            words = [NO_OP] * entry + words
        elif self.fault == "len_m":
            length, m = beyond_limits(generator)
            words.append(HALT)
        elif self.fault:
            about, word = faulty(generator, self.fault)
            generator.body(YOUNGER)
            words += [word, *generator.words[len(words) :], HALT]
        else:
            words.append(HALT)
        return Case(
            name=f"{self.config.name} {self.name} {self.seed}",
            settings=self.name,
            seed=self.seed,
            config=self.config.name,
            length=length,
            m=m,
            end=End(kind=self.kind, cycles=self._cycles(), about=about),
            windows=tuple(WindowOf(base=w.base, size=w.size, writable=w.writable) for w in generator.windows),
            memory=tuple(self._memory()),
            entry=entry,
            program=tuple(map(disassemble_word, words)),
            constants=tuple(format_constant(self._constant()) for _ in range(generator.constants)),
        )

    def _cycles(self) -> int:
        """When the host interferes, if it does."""
        if self.kind == "watchdog":
            return self.rng.randint(*SOON)
        if self.kind not in ("abort", "reset"):
            return 0
        program = [resolve(word, 0, self.config, self.generator.state) for word in self.generator.words]
        legal = [each for each in program if not isinstance(each, FaultReport)]
        return self.rng.randint(1, int(LATE * timeline(self.config, legal, Refusal(0)).finish))

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
