# SPDX-License-Identifier: Apache-2.0
"""Guesses of every kind: hopeless, perfect and adversarial ones by script, and those of programs on the core.

A scripted guess knows the target's plain tokens: the one at its place is the right one.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import numpy as np

from ga2.models.shapes import VOCABULARY


@dataclass(frozen=True)
class Place:
    """Where a guess stands. right: the plain token there. number, count: which of the block's guesses it is."""

    right: int
    at: int
    number: int
    count: int
    source: np.random.Generator

    @property
    def wrong(self) -> int:
        """Any other token."""
        return (self.right + 1) % VOCABULARY

    def right_if(self, wanted: bool) -> int:
        """The right token, or a wrong one."""
        return self.right if wanted else self.wrong


SCRIPTED: dict[str, Callable[[Place], int]] = {
    "wrong": lambda place: place.wrong,
    "right": lambda place: place.right,
    "alternating": lambda place: place.right_if(place.at % 2 == 0),
    "random": lambda place: int(place.source.integers(VOCABULARY)),
    "constant": lambda place: 0,
    "last": lambda place: place.right_if(place.number == place.count - 1),
    "almost": lambda place: place.right_if(place.number < place.count - 1),
}
"""right at even places; right only as the block's last guess; all right but the block's last."""

OnCore = Callable[[int, int], Awaitable[int]]
"""(token, cache rows) to the next token, by a program."""
