# SPDX-License-Identifier: Apache-2.0
"""The target in the chip's integers, from the compiler's own interpreter: no program, no scratchpad, no cycles.

Between the float reference and a compiled program: what it emits is what every correct program must emit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capra.fuse import fuse
from capra.interpret import interpret
from capra.library import target_graph
from capra.quantise import quantise
from ga2.models.calibration import Ranges
from ga2.models.shapes import WIDTH, Weights

Int8 = NDArray[np.int8]


@dataclass(frozen=True)
class IntegerBlock:
    """What a verifier gives back: int8 rows (m, ...) and one choice a row."""

    k: Int8
    v: Int8
    attention: Int8
    logits: Int8
    choices: list[int]


@dataclass(frozen=True)
class IntegerCache:
    """int8 keys and values, each (length, D)."""

    keys: Int8
    values: Int8

    @property
    def length(self) -> int:
        """Rows in the cache."""
        return len(self.keys)

    def extended(self, block: IntegerBlock) -> "IntegerCache":
        """The cache with a block's keys and values appended."""
        return IntegerCache(np.vstack([self.keys, block.k]), np.vstack([self.values, block.v]))

    def truncated(self, length: int) -> "IntegerCache":
        """The first `length` rows."""
        return IntegerCache(self.keys[:length], self.values[:length])


EMPTY_INTEGER_CACHE = IntegerCache(np.zeros((0, WIDTH), np.int8), np.zeros((0, WIDTH), np.int8))


class IntegerTarget:
    """A quantised target. `rows` fixes the block and takes attention row by row instead of the causal block."""

    def __init__(self, weights: Weights, ranges: Ranges, rows: int | None = None) -> None:
        self.graph = fuse(target_graph(weights, rows))
        self.spec = quantise([self.graph], ranges)

    def run_block(self, tokens: Sequence[int], cache: IntegerCache = EMPTY_INTEGER_CACHE) -> IntegerBlock:
        """One pass over m = len(tokens) rows on a cache."""
        inputs = {"ids": np.array(tokens)[:, np.newaxis], "k_cache": cache.keys, "v_cache": cache.values}
        values = interpret(self.graph, self.spec, inputs, cache.length, len(tokens))
        parts = {name: values[name].astype(np.int8) for name in ("k", "v", "attention", "logits")}
        return IntegerBlock(**parts, choices=[int(choice) for choice in values["choice"].ravel()])

    def fill_cache(self, tokens: Sequence[int]) -> IntegerCache:
        """The cache after `tokens`: keys and values of the one layer depend on the token alone."""
        if not tokens:
            return EMPTY_INTEGER_CACHE
        return EMPTY_INTEGER_CACHE.extended(self.run_block(tokens))
