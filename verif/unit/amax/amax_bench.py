# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the argument of the maximum: rows of words with gaps between them, ties, and lanes beyond the row.

Lanes that are not valid, and words that are not given, are X in Icarus and random in Verilator.
"""

import os
import random

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from cocotb.types import LogicArray

from ga2.golden.numerics import argmax_rows
from verif.tosa.vectors import vectors

COLS = int(os.environ["GA2_COLS"])
SEED = int(os.environ.get("GA2_SEED", "0"))
LATENCY = 3  # cycles from a word to the index that counts it
HAS_X = "icarus" in cocotb.SIM_NAME.lower()


class Bench:
    """The module under test; rows go in one behind the other, without a reset."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut = dut
        self.rng = rng
        self.due: list[int | None] = [None] * LATENCY  # the index that must be there, by cycles from now
        self.compared = 0

    def start(self) -> None:
        self.dut.valid_i.value = self.dut.first_i.value = 0
        cocotb.start_soon(Clock(self.dut.clk_i, 10, "ns", impl="gpi").start())

    def word(self, elements: list[int]) -> LogicArray | int:
        """The elements from lane 0 on; what lies beyond them must not matter."""
        known = [element & 0xFF for element in elements]
        missing = COLS - len(known)
        if HAS_X:
            return LogicArray("X" * 8 * missing + "".join(f"{byte:08b}" for byte in reversed(known)))
        return int.from_bytes(bytes(known + [self.rng.randrange(256) for _ in range(missing)]), "little")

    async def step(self, elements: list[int] | None, first: bool = False, index: int | None = None) -> None:
        """One cycle, with a word of a row or none; `index` is the row's, if the word is its last."""
        dut = self.dut
        await RisingEdge(dut.clk_i)
        dut.valid_i.value = int(elements is not None)
        dut.first_i.value = int(first if elements is not None else self.rng.random() < 0.5)
        dut.lane_valid_i.value = (1 << len(elements)) - 1 if elements is not None else self.rng.getrandbits(COLS)
        dut.word_i.value = self.word(elements or [])
        await FallingEdge(dut.clk_i)
        self.due.append(index)
        expected = self.due.pop(0)
        if expected is not None:
            assert int(dut.index_o.value) == expected, f"index {int(dut.index_o.value)}, expected {expected}"
            self.compared += 1

    async def row(self, row: np.ndarray, gap: float = 0.0, index: int | None = None) -> None:
        """All words of int8 [n], each after idle cycles with probability `gap`; golden's index unless one is given."""
        index = int(argmax_rows(row[np.newaxis])[0]) if index is None else index
        for start in range(0, row.size, COLS):
            while self.rng.random() < gap:
                await self.step(None)
            last = start + COLS >= row.size
            await self.step([int(v) for v in row[start : start + COLS]], start == 0, index if last else None)

    async def finish(self, rows: int) -> None:
        """Until the last index has been compared."""
        for _ in range(LATENCY):
            await self.step(None)
        assert self.compared == rows


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def every_pair_of_lanes(dut) -> None:
    """Two elements that stand out, at all pairs of places in two words: the larger wins, of equal ones the first."""
    bench = Bench(dut, random.Random(SEED))
    bench.start()
    rows = 0
    for one in range(2 * COLS):
        for other in range(one + 1, 2 * COLS):
            for high, low in ((127, 126), (5, 5), (-1, 0), (-127, -127)):
                row = np.full(2 * COLS, -128, np.int8)
                row[one], row[other] = high, low
                await bench.row(row)
                rows += 1
    await bench.finish(rows)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def random_rows(dut) -> None:
    """Rows of every length around a word, also all -128, with and without idle cycles inside and between them."""
    rng = random.Random(SEED + 1)
    bench = Bench(dut, rng)
    bench.start()
    rows = 0
    pools = [range(-128, 128), [-128], [-128, -127], [127, -128], range(-2, 3)]
    for gap in (0.0, 0.5):
        for n in [1, COLS - 1, COLS, COLS + 1, 3 * COLS] * 8 + [rng.randint(1, 9 * COLS) for _ in range(60)]:
            pool = rng.choice(pools)
            await bench.row(np.array([rng.choice(pool) for _ in range(n)], np.int8), gap)
            rows += 1
    await bench.finish(rows)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def tosa_vectors(dut) -> None:
    """ARGMAX as the TOSA reference model answers it."""
    bench = Bench(dut, random.Random(SEED + 3))
    bench.start()
    rows = 0
    for vector in vectors("argmax"):
        for row, index in zip(vector["rows"], vector["index"], strict=True):
            await bench.row(np.array(row, np.int8), index=index)
            rows += 1
    await bench.finish(rows)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def the_longest_row(dut) -> None:
    """4095 elements with the largest one last, then first: an index of twelve bits."""
    bench = Bench(dut, random.Random(SEED + 2))
    bench.start()
    row = np.zeros(4095, np.int8)
    row[-1] = 1
    await bench.row(row)
    await bench.row(row[::-1])
    await bench.finish(2)
