# SPDX-License-Identifier: Apache-2.0
"""The bigram draft: a 16 x 16 logit table L whose row t proposes the token after t, and its two forms on the chip.

*matmul*: Wd = E^-1 L, so that E[t] Wd = L[t]: one gather, one product, one argmax. *table*: row t of the int8 logits
is gathered and its argmax taken. Both must pick the table's own choice: the lowest index of the largest entry.
"""

import random
from itertools import pairwise
from math import log

import numpy as np

from ga2.models.reference import greedy_tokens
from ga2.models.shapes import VOCABULARY, Array, Weights
from ga2.models.targets import successor

DRAFT_FORMS = ("matmul", "table")

FIT_TOKENS = 24
PRIOR_COUNT = 0.5
PEAK_LOGIT = 8.0


def structured_table() -> Array:
    """8.0 at the successor of each token, 0 elsewhere: a perfect draft of the structured target."""
    table = np.zeros((VOCABULARY, VOCABULARY))
    for token in range(VOCABULARY):
        table[token, successor(token)] = PEAK_LOGIT
    return table


def fitted_table(weights: Weights) -> Array:
    """4 ln(16 n / sum n) of the next-token counts n over 24 greedy float tokens from each start; n starts at 0.5."""
    counts = np.full((VOCABULARY, VOCABULARY), PRIOR_COUNT)
    for start in range(VOCABULARY):
        tokens = [start, *greedy_tokens(weights, start, FIT_TOKENS)]
        for before, after in pairwise(tokens):
            counts[before, after] += 1.0
    sums = counts.sum(axis=1)
    return np.array(
        [[4.0 * log(VOCABULARY * n / total) for n in row] for row, total in zip(counts, sums, strict=True)]
    )


def with_noise(table: Array, noise: float, seed: int) -> Array:
    """The table plus N(0, noise) in every entry, drawn row by row; drawn even when `noise` is 0."""
    source = random.Random(seed)
    return table + np.array([[source.gauss(0, noise) for _ in row] for row in table])


def make_table(kind: str, weights: Weights, noise: float, seed: int) -> Array:
    """The draft's logit table L (V, V) for a target of `kind`: its rule for structured, else fitted to its output."""
    return with_noise(structured_table() if kind == "structured" else fitted_table(weights), noise, seed)


def table_choices(table: Array) -> list[int]:
    """The proposal after each token: the lowest index of the row's largest logit."""
    return [int(choice) for choice in np.argmax(table, axis=1)]
