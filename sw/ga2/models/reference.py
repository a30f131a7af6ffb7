# SPDX-License-Identifier: Apache-2.0
"""The float reference of the target: a block of tokens against a cache, in float64.

Row i of a block of m rows on a cache of c rows attends rows 0 .. c + i of [cache; block]. A one-token step is the
same function with m = 1, which is what makes "block = sequence" a statement worth testing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ga2.models.shapes import WIDTH, Array, Weights


@dataclass(frozen=True)
class Cache:
    """Keys and values of the committed tokens, each (length, D). Rolling back is keeping fewer rows."""

    keys: Array
    values: Array

    @property
    def length(self) -> int:
        """Rows in the cache."""
        return len(self.keys)

    def extended(self, keys: Array, values: Array) -> "Cache":
        """The cache with new rows appended."""
        return Cache(np.vstack([self.keys, keys]), np.vstack([self.values, values]))

    def truncated(self, length: int) -> "Cache":
        """The first `length` rows."""
        return Cache(self.keys[:length], self.values[:length])


EMPTY_CACHE = Cache(np.zeros((0, WIDTH)), np.zeros((0, WIDTH)))


@dataclass(frozen=True)
class BlockTrace:
    """Every tensor of one block by its role: (m, n) arrays; `scores` and `probabilities` are (m, c + m).

    Scores are divided by sqrt(D). A score that the row may not see is NaN, and its probability is zero.
    """

    x: Array
    q: Array
    k: Array
    v: Array
    scores: Array
    probabilities: Array
    attention: Array
    h: Array
    f: Array
    y: Array
    logits: Array

    @property
    def choices(self) -> list[int]:
        """The greedy token of each row: the lowest index of the largest logit."""
        return [int(row) for row in np.argmax(self.logits, axis=1)]


def causal_scores(q: Array, keys: Array, cached: int) -> Array:
    """Scaled scores (m, c + m) of a block on `cached` rows; NaN where row i must not look: beyond row c + i."""
    scores = q @ keys.T / sqrt(WIDTH)
    rows, columns = np.indices(scores.shape)
    return np.where(columns <= cached + rows, scores, np.nan)


def masked_softmax(scores: Array) -> Array:
    """Row softmax over the entries that are not NaN; the others get probability zero."""
    exps = np.exp(scores - np.nanmax(scores, axis=1, keepdims=True))
    exps = np.nan_to_num(exps, nan=0.0)
    return exps / exps.sum(axis=1, keepdims=True)


def run_block(weights: Weights, tokens: Sequence[int], cache: Cache = EMPTY_CACHE) -> BlockTrace:
    """One pass over m = len(tokens) rows. Ids must lie in the vocabulary (ValueError otherwise)."""
    if not tokens or not all(0 <= token < len(weights["E"]) for token in tokens):
        raise ValueError(f"a block needs at least one id in 0..{len(weights['E']) - 1}: got {list(tokens)}")
    x = weights["E"][list(tokens)]
    q, k, v = (x @ weights[name] for name in ("Wq", "Wk", "Wv"))
    context = cache.extended(k, v)
    scores = causal_scores(q, context.keys, cache.length)
    probabilities = masked_softmax(scores)
    attention = probabilities @ context.values
    h = x + attention @ weights["Wo"]
    f = np.maximum(h @ weights["W1"], 0.0)
    y = h + f @ weights["W2"]
    return BlockTrace(x, q, k, v, scores, probabilities, attention, h, f, y, y @ weights["Wout"])


def fill_cache(weights: Weights, tokens: Sequence[int]) -> Cache:
    """The cache after `tokens`. Keys and values of the one layer depend on the token alone."""
    x = weights["E"][list(tokens)]
    return Cache(x @ weights["Wk"], x @ weights["Wv"])


def greedy_tokens(weights: Weights, start: int, count: int) -> list[int]:
    """`count` tokens after `start`, one row at a time; `start` is not in the result."""
    tokens, cache = [start], EMPTY_CACHE
    for _ in range(count):
        trace = run_block(weights, tokens[-1:], cache)
        cache = cache.extended(trace.k, trace.v)
        tokens += trace.choices
    return tokens[1:]
