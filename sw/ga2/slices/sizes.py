# SPDX-License-Identifier: Apache-2.0
"""Sizes to draw: rows, widths, and where in a tensor a slice may lie. Everything affine in LEN and M."""

from collections.abc import Iterator
from random import Random

from capra import LEN, Affine, M
from ga2.slices.facts import position_of
from ga2.slices.recipe import Run
from ga2.spec import Config

ONE = Affine(1)


def widths(config: Config, rng: Random, tall: bool) -> int:
    """Columns around a multiple of COLS; few of them for tensors as tall as the cache."""
    cols = config.cols
    few = [cols - 1, cols, cols + 1]
    return rng.choice(few if tall else [*few, 2, 2 * cols, 2 * cols + 1, 3 * cols])


def tall(rows: Affine) -> bool:
    """Whether a size grows with the cache."""
    return rows.a > 0


def row_counts(rng: Random) -> Affine:
    """Rows of a tensor that is no weight."""
    few = rng.randint(1, 5)
    return rng.choice([Affine(rng.randint(2, 20)), M, M + few, LEN + M, LEN + few, LEN + M + few])


def _starts(total: Affine) -> Iterator[Affine]:
    yield from (Affine(imm) for imm in range(5))
    yield from (M, LEN, LEN + 1, M + 1)
    yield from (total - imm for imm in range(1, 5))
    yield from (total - M, total - LEN, total - M - 1)


def _counts(total: Affine) -> Iterator[Affine]:
    yield from (Affine(imm) for imm in range(1, 6))
    yield from (M, M + 1, LEN + 1, LEN + 2, LEN + M)
    yield from (total - imm for imm in range(5))
    yield from (total - M, total - LEN)


def encodable(size: Affine) -> bool:
    """Whether an instruction can hold the size: no negative part, factors of two bits."""
    return size.imm >= 0 and 0 <= size.a <= 3 and 0 <= size.b <= 3


def slices(total: Affine, wanted: str, run: Run) -> list[tuple[Affine, Affine]]:
    """(start, count) of slices of `total` rows that lie inside for every LEN and M and as `wanted` in `run`."""
    found = set()
    for start in _starts(total):
        for count in _counts(total):
            sizes = (start, count - 1, total - start - count)
            if not all(size.never_negative() for size in sizes) or not encodable(count):
                continue
            at = (size.at(run.length, run.m) for size in (start, count, total))
            if position_of(*at) == wanted:
                found.add((start, count))
    return sorted(found, key=str)

