# SPDX-License-Identifier: Apache-2.0
"""The cross that the graphs must fill: source x consumer x position x block x cache length, and what is left of it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from random import Random

from ga2.slices.facts import CONSUMERS, POSITIONS, SOURCES, Fact
from ga2.slices.recipe import Run
from ga2.spec import Config

LENGTHS = ("0", "1", "tile - 1", "tile", "tile + 1", "between", "longest")


@dataclass(frozen=True, order=True)
class Bin:
    """One bin: a use of a slice, and the class of the run."""

    source: str
    consumer: str
    position: str
    block: str
    length: str

    def __str__(self) -> str:
        return f"{self.source} -> {self.consumer}, {self.position}, block {self.block}, cache {self.length}"


def block_class(config: Config, m: int) -> str:
    """The class of a block of m rows: 1, around the array's height, and the largest."""
    if m in (1, config.m_max):
        return str(m)
    if m == config.rows:
        return "ROWS"
    return "below ROWS" if m < config.rows else "above ROWS"


def length_class(config: Config, length: int, m: int) -> str:
    """The class of a cache length: by its place in a tile of COLS columns (a key a column), or the longest for M."""
    if length < 2:
        return str(length)
    if length + m == config.max_len:
        return "longest"
    return {config.cols - 1: "tile - 1", 0: "tile", 1: "tile + 1"}.get(length % config.cols, "between")


def bin_of(config: Config, fact: Fact) -> Bin:
    """The bin of a crossed fact."""
    block, length = block_class(config, fact.m), length_class(config, fact.length, fact.m)
    return Bin(fact.source, fact.consumer, fact.position, block, length)


def blocks(config: Config) -> dict[str, list[int]]:
    """The block sizes of every class."""
    found: dict[str, list[int]] = {}
    for m in range(1, config.m_max + 1):
        found.setdefault(block_class(config, m), []).append(m)
    return found


def every_bin(config: Config) -> Iterator[Bin]:
    """All bins of the cross."""
    for parts in product(SOURCES, CONSUMERS, POSITIONS, blocks(config), LENGTHS):
        yield Bin(*parts)


def draw_run(config: Config, rng: Random, block: str, length: str) -> Run:
    """A run of a class."""
    m = rng.choice(blocks(config)[block])
    if length == "longest":
        return Run(config.max_len - m, m)
    fitting = [value for value in range(config.max_len - m) if length_class(config, value, m) == length]
    near = [value for value in fitting if value <= 3 * config.cols + 1] or fitting
    return Run(rng.choice(near if rng.random() < 0.8 else fitting), m)


@dataclass
class Holes:
    """The bins not hit yet, and how often each was hit."""

    config: Config
    hits: Counter[Bin] = field(default_factory=Counter)
    missed: Counter[Bin] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.left = dict.fromkeys(every_bin(self.config))

    def take(self, seen: Iterable[Fact]) -> None:
        """Facts of a run that passed."""
        for fact in seen:
            if fact.crossed:
                found = bin_of(self.config, fact)
                self.hits[found] += 1
                self.left.pop(found, None)

    def target(self, rng: Random) -> Bin:
        """A bin to steer to: one of the holes tried least, or any bin once there are none."""
        if not self.left:
            return rng.choice(list(every_bin(self.config)))
        fewest = min(self.missed[hole] for hole in self.left)
        chosen = rng.choice([hole for hole in self.left if self.missed[hole] == fewest])
        self.missed[chosen] += 1
        return chosen

    @property
    def hit(self) -> int:
        """Bins hit so far."""
        return len(self.hits)

    @property
    def total(self) -> int:
        """Bins of the cross."""
        return sum(1 for _ in every_bin(self.config))
