# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the vector unit: VEC and AMAX against the golden arithmetic, cycle by cycle."""

import os
import random

import cocotb
import numpy as np

from ga2.golden import numerics
from ga2.timing.ops import VecOp
from ga2.timing.vector import VectorUnit
from verif.unit.word_bench import Scratchpad, WordBench, Words, config_of, operand, row_words, value_words

COLS = int(os.environ["GA2_COLS"])
SEED = int(os.environ.get("GA2_SEED", "0"))


def golden(op: VecOp, spad: Scratchpad) -> tuple[Words, set[int]]:
    """What `op` writes and reads."""
    words = -(-op.n // COLS)
    a = spad.get_rows(op.a, op.a_pitch, op.rows, op.n)
    reads = operand(op.a, op.a_pitch, op.rows, words)
    if op.amax:
        return value_words(op.out, op.out_pitch, numerics.argmax_rows(a), COLS), reads
    b = None
    if op.second:
        b = spad.get_rows(op.b, op.b_pitch, op.rows, op.n)
        reads |= operand(op.b, op.b_pitch, op.rows, words)
    out = numerics.vec(a, op.ma, b, op.mb, shift=op.shift, zp=op.zp, lo=op.lo, hi=op.hi)
    return row_words(op.out, op.out_pitch, out.view(np.uint8), COLS), reads


def values(rng: random.Random, rows: int, n: int) -> np.ndarray:
    """int8 [rows, n] with ties and extremes."""
    kind = rng.randrange(5)
    if kind == 0:
        return np.full((rows, n), rng.choice([-128, -1, 0, 127]), np.int8)
    pool = [range(-128, 128), [-128, 127], [-128, -127, 126, 127], range(-2, 3)][kind - 1]
    return np.array([[rng.choice(pool) for _ in range(n)] for _ in range(rows)], np.int8)


def random_op(rng: random.Random, bench: WordBench, base: int) -> VecOp:
    """An operation on fresh operands above word `base`, or in place on one of them."""
    rows, n = rng.randint(1, 5), rng.choice([1, COLS - 1, COLS, COLS + 1, 4 * COLS, rng.randint(1, 6 * COLS)])
    words = -(-n // COLS)
    amax = rng.random() < 0.3
    a, b, out = base, base + 400, base + 800
    a_pitch, b_pitch, out_pitch = (words + rng.choice([0, 0, 1, 5]) for _ in range(3))
    if rng.random() < 0.2:
        a_pitch = 0
    elif not amax and rng.random() < 0.4:
        out, out_pitch = rng.choice([(a, a_pitch), (b, b_pitch)])
    bench.spad.put_rows(a, a_pitch, values(rng, rows, n))
    bench.spad.put_rows(b, b_pitch, values(rng, rows, n))
    lo, hi = sorted((rng.choice([-128, rng.randint(-128, 127)]), rng.choice([127, rng.randint(-128, 127)])))
    if rng.random() < 0.15:  # an empty clamp: hi wins
        lo, hi = hi, lo
    edge = [-(2**15), -1, 0, 1, 2**15 - 1, 64, rng.randint(-(2**15), 2**15 - 1)]
    return VecOp(
        slot=rng.randrange(8), amax=amax, second=rng.random() < 0.5, ma=rng.choice(edge), mb=rng.choice(edge),
        shift=rng.choice([0, 1, 6, 7, 14, 15, 23, 24, 25, 31, rng.randrange(32)]), zp=rng.choice([0, -128, 127, 3]),
        lo=lo, hi=hi, rows=rows, n=n, out=out, out_pitch=out_pitch, a=a, a_pitch=a_pitch, b=b, b_pitch=b_pitch,
    )  # fmt: skip


async def make_bench(dut) -> WordBench:
    bench = WordBench(dut, COLS, ["a", "b"], random.Random(SEED))
    await bench.reset()
    return bench


@cocotb.test()
async def random_sequences(dut) -> None:
    """Back to back, with gaps, and with operations that read what the former one has just written."""
    bench = await make_bench(dut)
    unit = VectorUnit(config_of(COLS))
    for _ in range(60):
        ops: list[tuple[int, VecOp]] = []
        for i in range(rng_length := bench.rng.randint(1, 5)):
            ops.append((bench.rng.choice([0, 0, 1, 7]), random_op(bench.rng, bench, 1200 * i)))
        if rng_length < 5:
            last = ops[-1][1]
            if not last.amax:
                chained = VecOp(slot=1, ma=-3, shift=1, rows=last.rows, n=last.n, a=last.out, a_pitch=last.out_pitch,
                                out=9000, out_pitch=last.n)  # fmt: skip
                ops.append((0, chained))
        await bench.run(ops, unit, golden)


@cocotb.test()
async def every_byte_and_shift(dut) -> None:
    """All 256 bytes as the first operand at every shift."""
    bench = await make_bench(dut)
    unit = VectorUnit(config_of(COLS))
    bench.spad.put_rows(0, 0, np.arange(-128, 128).astype(np.int8)[np.newaxis])
    for shift in range(32):
        op = VecOp(ma=bench.rng.choice([-(2**15), 2**15 - 1, 1 << shift % 15]), shift=shift, rows=1, n=256, out=1000)
        await bench.run([(0, op)], unit, golden)


@cocotb.test()
async def argmax_of_long_rows(dut) -> None:
    """The largest element at every position of a long row, and ties across words."""
    bench = await make_bench(dut)
    unit = VectorUnit(config_of(COLS))
    n = 5 * COLS - 1
    rows = np.full((n, n), -128, np.int8)
    rows[np.arange(n), np.arange(n)] = -127
    bench.spad.put_rows(0, 5, rows)
    await bench.run([(0, VecOp(amax=True, rows=n, n=n, a=0, a_pitch=5, out=2000, out_pitch=1))], unit, golden)
    ties = np.repeat(np.arange(n, dtype=np.int8)[::-1, np.newaxis], n, axis=1)
    bench.spad.put_rows(0, 5, np.maximum(ties, rows))
    await bench.run([(0, VecOp(amax=True, rows=n, n=n, a=0, a_pitch=5, out=2000, out_pitch=3))], unit, golden)


@cocotb.test()
async def longest_row(dut) -> None:
    """An index of twelve bits."""
    bench = await make_bench(dut)
    row = np.zeros((1, 4095), np.int8)
    row[0, 4094] = 1
    bench.spad.put_rows(0, 0, row)
    await bench.run([(0, VecOp(amax=True, n=4095, out=5000))], VectorUnit(config_of(COLS)), golden)


@cocotb.test()
async def killed(dut) -> None:
    """A kill in any cycle leaves a unit that works."""
    bench = await make_bench(dut)
    for after in range(16):
        await bench.kill(random_op(bench.rng, bench, 0), after)
        await bench.run([(0, random_op(bench.rng, bench, 0))], VectorUnit(config_of(COLS)), golden)
