# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the softmax unit: bytes, row multipliers and cycles against golden model and closed form."""

import os
import random

import cocotb
import numpy as np

from ga2.accuracy.softmax import GROUPS, SCALE_ONE, SCALES, SHAPES, emul_of, shaped_row
from ga2.golden import numerics
from ga2.timing.ops import SmOp
from ga2.timing.softmax import SoftmaxUnit
from verif.unit.word_bench import Scratchpad, WordBench, Words, config_of, operand, row_words, value_words

COLS = int(os.environ["GA2_COLS"])
SEED = int(os.environ.get("GA2_SEED", "0"))
KINDS = ("spread", "equal", "one hot", "two levels", "narrow", "rising")


def words_of(n: int) -> int:
    return -(-n // COLS)


def golden(op: SmOp, spad: Scratchpad) -> tuple[Words, set[int]]:
    """What `op` writes and reads: no score at or beyond a row's length, not even as part of a word of its own."""
    lengths = op.len + op.step * np.arange(op.rows)
    scores = np.zeros((op.rows, op.n), np.int8)
    reads: set[int] = set()
    for i, length in enumerate(lengths):
        scores[i, :length] = spad.get_rows(op.src + i * op.src_pitch, 0, 1, int(length))[0]
        reads |= operand(op.src + i * op.src_pitch, 0, 1, words_of(int(length)))
    out, rm = numerics.softmax_rows(scores, lengths, op.emul, op.scale, op.norm)
    words = row_words(op.dst, op.dst_pitch, out, COLS)
    return words | value_words(op.rmul, op.rmul_pitch, list(rm), COLS), reads


def score_row(rng: random.Random, kind: str, n: int) -> np.ndarray:
    """One row of int8 [n]."""
    if kind == "spread":
        return np.array([rng.randint(-128, 127) for _ in range(n)], np.int8)
    if kind == "equal":
        return np.full(n, rng.choice([-128, 0, 127]), np.int8)
    row = np.full(n, -128, np.int8)
    if kind == "one hot":
        row[rng.randrange(n)] = 127
    elif kind == "two levels":
        row[:] = [rng.choice([-20, 20]) for _ in range(n)]
    elif kind == "narrow":
        row[:] = [rng.randint(-128, -120) for _ in range(n)]
    else:
        row[:] = np.clip(np.arange(n) - 128, -128, 127)
    return row


def random_op(rng: random.Random, bench: WordBench, base: int, norm: bool, n_max: int = 0) -> SmOp:
    """An operation on fresh operands above word `base`; the scores beyond each row's length stay unknown."""
    rows = rng.randint(1, 4)
    n = rng.choice([1, COLS, COLS + 1, 3 * COLS, rng.randint(1, n_max or 8 * COLS)])
    step = min(rng.choice([0, 1, 3]), (n - 1) // max(rows - 1, 1))
    top = n - (rows - 1) * step
    length = rng.choice([1, top, rng.randint(1, top)])
    src, dst, rmul = base, base + 800, base + 1600
    src_pitch, dst_pitch = (words_of(n) + rng.choice([0, 0, 1, 4]) for _ in range(2))
    if rng.random() < 0.4:
        dst, dst_pitch = src, src_pitch
    for i in range(rows):
        row = score_row(rng, rng.choice(KINDS), length + i * step)
        bench.spad.put_rows(src + i * src_pitch, 0, row[np.newaxis])
    return SmOp(
        slot=rng.randrange(8), norm=norm, emul=rng.choice([0, 473, 1 << 15, 2**16 - 1, rng.randrange(2**16)]),
        rows=rows, n=n, len=length, step=step, dst=dst, dst_pitch=dst_pitch, src=src, src_pitch=src_pitch,
        rmul=rmul, rmul_pitch=rng.choice([1, 2]), scale=rng.choice([2**30, 2**31 - 1, 0, 1, rng.randrange(2**31)]),
    )  # fmt: skip


async def make_bench(dut) -> WordBench:
    bench = WordBench(dut, COLS, ["rd"], random.Random(SEED))
    await bench.reset()
    return bench


@cocotb.test()
async def random_sequences(dut) -> None:
    """Back to back and with gaps, both modes mixed."""
    bench = await make_bench(dut)
    unit = SoftmaxUnit(config_of(COLS))
    for _ in range(50):
        ops = [
            (bench.rng.choice([0, 0, 1, 7]), random_op(bench.rng, bench, 2000 * i, bench.rng.random() < 0.25))
            for i in range(bench.rng.randint(1, 4))
        ]
        await bench.run(ops, unit, golden)


@cocotb.test()
async def short_rows_wait_for_the_division(dut) -> None:
    """Rows of one word and a causal block that grows out of the division's shadow."""
    bench = await make_bench(dut)
    unit = SoftmaxUnit(config_of(COLS))
    rows = np.array([score_row(bench.rng, "spread", 9 * COLS) for _ in range(16)])
    for n, length, step, count in ((1, 1, 0, 8), (COLS, COLS, 0, 8), (8 * COLS, 1, COLS // 2, 15), (16, 1, 1, 16)):
        bench.spad.put_rows(0, words_of(n) + 1, rows[:count, :n])
        for norm in (False, True):
            op = SmOp(norm=norm, emul=4000, rows=count, n=n, len=length, step=step, src=0, src_pitch=words_of(n) + 1,
                      dst=1000, dst_pitch=words_of(n), rmul=2000, rmul_pitch=1, scale=2**30)  # fmt: skip
            await bench.run([(0, op)], unit, golden)


@cocotb.test()
async def prefix_slices_equal_the_causal_block(dut) -> None:
    """Row i of a block is the row that a one-row operation over its prefix gives."""
    bench = await make_bench(dut)
    unit = SoftmaxUnit(config_of(COLS))
    n, rows, pitch = 5 * COLS, 4, 6
    bench.spad.put_rows(0, pitch, np.array([score_row(bench.rng, "spread", n) for _ in range(rows)]))
    length = n - rows + 1
    block = SmOp(emul=3000, rows=rows, n=n, len=length, step=1, src=0, src_pitch=pitch, dst=500, dst_pitch=pitch,
                 rmul=1000, rmul_pitch=1, scale=2**29)  # fmt: skip
    await bench.run([(0, block)], unit, golden)
    for i in range(rows):
        keys = length + i
        alone = SmOp(emul=3000, rows=1, n=keys, len=keys, src=i * pitch, dst=2000, rmul=3000, scale=2**29)
        await bench.run([(0, alone)], unit, golden)
        for w in range(words_of(keys)):
            assert bench.spad.word(2000 + w) == bench.spad.word(500 + i * pitch + w)
        assert bench.spad.word(3000) == bench.spad.word(1000 + i)


@cocotb.test()
async def rows_of_the_stated_accuracy(dut) -> None:
    """Points of docs/user/softmax-accuracy.md, every number of keys' group and every scale: the RTL equals golden."""
    bench = await make_bench(dut)
    unit = SoftmaxUnit(config_of(COLS))
    points = [(group, SCALES[(index + turn) % len(SCALES)]) for turn in (0, 3) for index, group in enumerate(GROUPS)]
    assert {scale for _, scale in points} == set(SCALES)
    for index, ((first, last), scale) in enumerate(points):
        n = last if index % 2 else bench.rng.randint(first, last)
        shape = SHAPES[index % len(SHAPES)]
        bench.spad.put_rows(0, 0, shaped_row(shape, n, np.random.default_rng(index))[np.newaxis])
        op = SmOp(emul=emul_of(scale), n=n, len=n, src=0, dst=1000, rmul=2000, scale=SCALE_ONE)
        await bench.run([(0, op)], unit, golden)


@cocotb.test()
async def longest_row(dut) -> None:
    """4095 equal scores: the largest sum."""
    bench = await make_bench(dut)
    bench.spad.put_rows(0, 0, np.full((1, 4095), 9, np.int8))
    op = SmOp(emul=9, n=4095, len=4095, src=0, dst=2000, rmul=9000, scale=2**31 - 1)
    await bench.run([(0, op)], SoftmaxUnit(config_of(COLS)), golden)


@cocotb.test()
async def killed(dut) -> None:
    """A kill in any cycle leaves a unit that works."""
    bench = await make_bench(dut)
    for after in range(0, 60, 2):
        norm = after % 4 == 0
        await bench.kill(random_op(bench.rng, bench, 0, norm), after)
        await bench.run([(0, random_op(bench.rng, bench, 0, not norm, COLS))], SoftmaxUnit(config_of(COLS)), golden)
