# SPDX-License-Identifier: Apache-2.0
"""Draws numbers: the sizes that the settings weigh, and how LEN and M take part in them."""

import random
from collections.abc import Mapping
from typing import Any, TypeVar

from ga2.golden.resolve import DIM_MAX, State
from ga2.isa.encoding import Dim
from ga2.spec import Config
from ga2.timing.bursts import BURST_BEATS
from verif.programs.generator_settings import Settings

Key = TypeVar("Key")
FACTORS = (0, 1, 1, 1, 2, 3)  # of LEN and M


def weighted(rng: random.Random, shares: Mapping[Key, float]) -> Key:
    """One of the keys."""
    return rng.choices(list(shares), list(shares.values()))[0]


def register(rng: random.Random, shares: Mapping[Any, float], some: int, largest: int) -> int:
    """LEN or M: 0, 1, the largest, or something up to `some`."""
    size = weighted(rng, shares)
    return rng.randint(2, some) if size == "some" else largest if size == "max" else int(size)


class Sizes:
    """The dimensions of one program's instructions."""

    def __init__(self, config: Config, settings: Settings, state: State, rng: random.Random) -> None:
        self.config, self.settings, self.state, self.rng = config, settings, state, rng

    def rows(self) -> int:
        """Around the array's height N."""
        return self._around(self.settings.rows, self.config.rows, {"M": self.state.m})

    def columns(self) -> int:
        """Elements around the array's width N."""
        return self._around(self.settings.columns, self.config.cols, {"LEN+M+1": self.state.length + self.state.m + 1})

    def words(self) -> int:
        """Words of a transfer's row around a burst of N."""
        several = {"several": self.rng.randint(3, 16)}
        return self._around(self.settings.words, BURST_BEATS // self.config.beats_per_word, several)

    def _around(self, shares: Mapping[Any, float], near: int, special: Mapping[str, int]) -> int:
        size = weighted(self.rng, shares)
        if size in special:
            return special[size]
        if size in ("several", "many", "long"):
            low, high = {"several": (2, 4), "many": (2, 5), "long": (8, 24)}[size]
            return self.rng.randint(low * near + 1, high * near)
        fixed = {"N-1": near - 1, "N": near, "N+1": near + 1, "2N": 2 * near, "max": DIM_MAX}
        return fixed[size] if size in fixed else int(size)

    def factors(self) -> tuple[int, int]:
        """How often LEN and M count in a place or a size."""
        if self.rng.random() >= self.settings.affine:
            return 0, 0
        return self.rng.choice(FACTORS), self.rng.choice(FACTORS)

    def dim(self, value: int) -> Dim:
        """An encoding of `value`, through LEN or M when that fits."""
        a, b = self.factors()
        rest = value - a * self.state.length - b * self.state.m
        return Dim(rest, a, b) if rest >= 0 else Dim(value)

    def number(self, low: int, high: int, *usual: int) -> int:
        """A number of a field: an end of its range, a usual one, or any."""
        rng = self.rng
        if rng.random() < self.settings.full_range:
            return rng.choice((low, high, 0 if low < 0 else 1))
        return rng.choice((*usual, rng.randint(low, high)))
