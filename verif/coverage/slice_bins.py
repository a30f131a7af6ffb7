# SPDX-License-Identifier: Apache-2.0
"""Bins of slice_rows: source x consumer x position x m x LEN, for programs that the compiler emitted."""

from itertools import product

from ga2.coverage.lists import LISTS
from ga2.spec import Config

SLICES = LISTS.slices
DIMENSIONS = (SLICES.source, SLICES.consumer, SLICES.position, SLICES.m, SLICES.length)
POINTS: dict[str, tuple[str, ...]] = {
    f"slices/{source}": tuple(
        f"{consumer} {position} m {m} LEN {length}" for consumer, position, m, length in product(*DIMENSIONS[1:])
    )
    for source in SLICES.source
}


def block_class(m: int, config: Config) -> str:
    """The class of a block of `m` rows, 1 .. m_max: "1", "some" or "max"."""
    return "1" if m == 1 else "max" if m == config.m_max else "some"


def length_class(length: int, m: int, config: Config) -> str:
    """The class of a cache of `length` rows before a block of `m`: "0", "some" or "max" (what MAX_LEN leaves)."""
    return "0" if length == 0 else "max" if length == config.max_len - m else "some"


def slice_bins(source: str, consumer: str, position: str, m: str, length: str) -> frozenset[str]:
    """The bins of one use of a slice; every argument is a word of `slices` in spec/coverage.yaml, else ValueError.

    source: product, concatenation, slice, input, weight; consumer: left, right (a product's factors, the right one
    transposed), values (a right factor read by rows), softmax, scores (a factor of the product that a softmax reads),
    argmax; position of the rows in the source: first, middle, last, whole, one (a single row); m and length:
    `block_class`, `length_class`.
    """
    for name, value, words in zip(
        ("source", "consumer", "position", "m", "length"),
        (source, consumer, position, m, length),
        DIMENSIONS,
        strict=True,
    ):
        if value not in words:
            raise ValueError(f"slice {name} '{value}': must be one of {', '.join(words)}")
    return frozenset({f"slices/{source}/{consumer} {position} m {m} LEN {length}"})
