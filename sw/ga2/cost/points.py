# SPDX-License-Identifier: Apache-2.0
"""Cycles of the target's program for M rows on a cache of LEN rows, from the timing model.

The timing does not depend on bytes, so no arithmetic is done and any model of the tiny target's sizes would do.
"""

from dataclasses import dataclass
from functools import lru_cache

from ga2.spec import Config, load_config
from ga2.stimulus import build_session
from ga2.timing.model import counters
from ga2.timing.programs import program_line

CACHES = (12, 64, 256)


@dataclass(frozen=True)
class Point:
    """A verifier pass of `rows` rows on `cache` cache rows.

    cycles: of the pass. steps: of `rows` one-row steps over the same positions. step: of the first of them.
    """

    config: str
    cache: int
    rows: int
    cycles: int
    steps: int
    step: int

    @property
    def relative(self) -> float:
        """The pass over one plain step at the same cache."""
        return self.cycles / self.step

    @property
    def saving(self) -> float:
        """The plain steps over the pass: the speed-up if every guess were right and cost nothing."""
        return self.steps / self.cycles


def block_sizes(config: Config) -> range:
    """1 to twice the array's height, as far as M_MAX allows."""
    return range(1, min(2 * config.rows, config.m_max) + 1)


@lru_cache(maxsize=4096)
def predicted(config: str, cache: int, rows: int) -> dict[str, int]:
    """Every counter of one target pass; ValueError if its program would fault."""
    session = build_session(config)
    words = session.model.image.instructions[session.target.entry :]
    line = program_line(session.config, words, session.model.windows, cache, rows, "a target pass")
    return counters(session.config, line)


def point(config: str, cache: int, rows: int) -> Point:
    """One point of the curve."""
    steps = [predicted(config, cache + row, 1)["total"] for row in range(rows)]
    return Point(config, cache, rows, predicted(config, cache, rows)["total"], sum(steps), steps[0])


def curve(config: str, cache: int) -> list[Point]:
    """Every block size on one cache."""
    return [point(config, cache, rows) for rows in block_sizes(load_config(config))]


def passes(config: str) -> list[tuple[int, int]]:
    """(LEN, M) of every program that the curves of a configuration rest on, steps included."""
    sizes = block_sizes(load_config(config))
    return sorted({(cache + row, 1) for cache in CACHES for row in range(len(sizes))}
                  | {(cache, rows) for cache in CACHES for rows in sizes})
