# SPDX-License-Identifier: Apache-2.0
"""The probabilities that SM's bytes and row multipliers stand for, beside softmax in floating point.

A probability is `e8 * 256 * rm / 2^46` with a row's scale at 2^30. Rows come in two kinds: *two levels*, some keys at
the maximum and all others a distance below it, every distance for every number of keys; and *shapes*, spread over the
bytes, a bell, close to the maximum, one hot, two levels at random, rising.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ga2.golden import numerics
from ga2.markdown import table

STATED = 0.004
"""What |p - exact| may be, for 1 to 512 keys and scales 0.01 to 1."""
SCALES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # ends of the ranges; within one, as many more in equal ratios:
STEPS = 40
KEYS = 8  # at most so many numbers of keys of a group
GROUPS = ((1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 64), (65, 128), (129, 256), (257, 512))
SHAPES = ("spread", "bell", "near", "hot", "levels", "rising")
SCALE_ONE = 2**30
UNIT = 2.0**46

Floats = NDArray[np.float64]


def emul_of(scale: float) -> int:
    """The field `emul` for a score scale: scale * log2(e) with 15 fraction bits."""
    return round(scale * np.log2(np.e) * 2**numerics.EMUL_FRACTION)


def exact(scores: NDArray, scale: float) -> Floats:
    """Softmax of scale * scores [n]."""
    e = np.exp(scale * (scores.astype(np.float64) - scores.max()))
    return e / e.sum()


def probabilities(scores: NDArray[np.int8], scale: float) -> Floats:
    """What the core answers for scores int8 [n]."""
    e8, rm = numerics.softmax_rows(scores[np.newaxis], [scores.size], emul_of(scale), SCALE_ONE)
    return e8[0] * 256.0 * rm[0] / UNIT


def shaped_row(shape: str, n: int, rng: np.random.Generator) -> NDArray[np.int8]:
    """A row of n scores of a shape."""
    if shape == "spread":
        row = rng.integers(-128, 128, n)
    elif shape == "bell":
        row = np.clip(rng.normal(0, 20, n), -128, 127)
    elif shape == "near":
        row = rng.integers(90, 128, n)
    elif shape == "hot":
        row = np.full(n, -128)
        row[rng.integers(n)] = 127
    elif shape == "levels":
        row = rng.choice([int(rng.integers(-128, 127)), 127], n)
    else:
        row = np.clip(np.arange(n) - n // 2, -128, 127)
    return np.asarray(row).astype(np.int8)


def two_level_errors(numbers: NDArray[np.int64], scale: float) -> Floats:
    """The largest |p - exact| for each number of keys [..], over every distance and some splits."""
    keys = numbers[:, np.newaxis, np.newaxis]
    splits = np.stack([np.ones_like(keys[:, 0, 0]), keys[:, 0, 0] // 2, keys[:, 0, 0] - 1], axis=1)
    top = np.clip(splits, 1, keys[:, :, 0])[:, :, np.newaxis]  # keys at the maximum
    d = np.arange(256)
    e16, real = numerics.softmax_exp(d, emul_of(scale)), np.exp(-scale * d)
    sums = top * numerics.EXP_ONE + (keys - top) * e16
    rm = np.minimum(numerics.RM_MAX, (SCALE_ONE << numerics.RM_FRACTION) // sums)
    total = top + (keys - top) * real
    errors = np.abs(255 * 256.0 * rm / UNIT - 1 / total)
    others = np.abs(numerics.exp_byte(e16).astype(np.float64) * 256.0 * rm / UNIT - real / total)
    return np.maximum(errors, np.where(keys > top, others, 0.0)).max(axis=(1, 2))


def shaped_rows(first: int, last: int) -> Iterator[NDArray[np.int8]]:
    """Rows of each shape with the fewest, the most and two other numbers of keys of a group; always the same."""
    rng = np.random.default_rng(first)
    for n in sorted({first, last, *rng.integers(first, last + 1, 2).tolist()}):
        for shape in SHAPES:
            yield shaped_row(shape, n, rng)


def scales_between(low: float, high: float) -> Floats:
    """The scales of a range, its ends among them."""
    return np.geomspace(low, high, STEPS + 1)


def numbers_of_keys(first: int, last: int) -> NDArray[np.int64]:
    """The numbers of keys of a group, its ends among them."""
    return np.unique(np.linspace(first, last, KEYS).round().astype(np.int64))


@cache
def largest_error(first: int, last: int, low: float, high: float) -> float:
    """The largest |p - exact| of any key, for first .. last keys and scales low .. high."""
    rows = list(shaped_rows(first, last))
    shaped = [np.abs(probabilities(row, scale) - exact(row, scale)).max() for row in rows for scale in (low, high)]
    numbers = numbers_of_keys(first, last)
    return float(max(*shaped, *(two_level_errors(numbers, scale).max() for scale in scales_between(low, high))))


def ranges() -> list[tuple[float, float]]:
    """The ranges of scales, the table's columns."""
    return list(pairwise(SCALES))


def accuracy_table() -> str:
    """The manual's table: the largest error for numbers of keys against score scales."""
    rows: list[list[object]] = []
    for first, last in GROUPS:
        name = str(first) if first == last else f"{first} to {last}"
        rows.append([name, *(f"{largest_error(first, last, low, high):.5f}" for low, high in ranges())])
    return table(["keys", *(f"{low:g} to {high:g}" for low, high in ranges())], rows)
