# SPDX-License-Identifier: Apache-2.0
"""The cross that the graphs must fill: source x consumer x position x block x cache length, and what is left of it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

from ga2.coverage.holes import holes_path, load_holes
from ga2.slices.facts import CONSUMERS, POSITIONS, SOURCES, Fact
from ga2.slices.recipe import Run
from ga2.spec import CONFIG_NAMES, Config, load_config

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


def reported(config: Config, bin_: Bin) -> str:
    """The name that the coverage report has for a bin: it tells fewer classes of M and LEN apart."""
    block = {"1": "1", str(config.m_max): "max"}.get(bin_.block, "some")
    length = {"0": "0", "longest": "max"}.get(bin_.length, "some")
    return f"slices/{bin_.source}/{bin_.consumer} {bin_.position} m {block} LEN {length}"


def reported_holes() -> set[str]:
    """The bins of slices that the last coverage report found open; all of them if there is no report. ValueError if
    the file is none."""
    if not holes_path().is_file():
        return {reported(config, one) for config in map(load_config, CONFIG_NAMES) for one in every_bin(config)}
    return {name for name in load_holes() if name.startswith("slices/")}


class Holes:
    """The bins of a cross that were not hit yet, how often each was hit, and which to steer to.

    wanted: names of the coverage report that go first; a name is taken out when one of its bins is hit, so that
    campaigns that share the set look for what none of them has hit.
    """

    def __init__(self, config: Config, wanted: set[str] | None = None) -> None:
        self.config = config
        every = list(every_bin(config))
        self.total = len(every)
        self.hits: Counter[Bin] = Counter()
        self.left = dict.fromkeys(every)
        self._wanted = set() if wanted is None else wanted
        self._tried: Counter[Bin] = Counter()

    def take(self, seen: Iterable[Fact]) -> None:
        """Facts of runs that passed."""
        for fact in seen:
            if fact.crossed:
                found = bin_of(self.config, fact)
                self.hits[found] += 1
                self.left.pop(found, None)
                self._wanted.discard(reported(self.config, found))

    def target(self, rng: Random) -> Bin:
        """A bin to steer to: of the holes, wanted ones first, one of those tried least; any bin once none is left."""
        first = [hole for hole in self.left if reported(self.config, hole) in self._wanted]
        holes = first or list(self.left) or list(every_bin(self.config))
        fewest = min(self._tried.get(hole, 0) for hole in holes)
        chosen = rng.choice([hole for hole in holes if self._tried.get(hole, 0) == fewest])
        self._tried[chosen] += 1
        return chosen

    @property
    def hit(self) -> int:
        """Bins hit so far."""
        return len(self.hits)
