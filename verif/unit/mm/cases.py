# SPDX-License-Identifier: Apache-2.0
"""Random matrix operations: operands, the memory that holds them, and the words and cycles that must come out.

A word is a list of bytes, lowest first; None is a byte that must not matter.
"""

import random
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ga2.golden.numerics import matmul
from ga2.spec import Config
from ga2.timing.matrix import MatrixTimes, drain, groups, period
from ga2.timing.ops import MmOp
from verif.tosa.vectors import vectors

PANEL, ROWS, TRANSPOSED = range(3)
SPAD_WORDS, CONSTS = 4096, 256  # the parameters of ga2_mm_tb

Word = list[int | None]


@dataclass
class Case:
    """One operation, the memory it reads, and its result int8 [m, n]."""

    op: MmOp
    result: NDArray[np.int8]
    words: dict[int, Word] = field(default_factory=dict)
    constants: dict[int, dict[str, int]] = field(default_factory=dict)
    left_reads: set[int] = field(default_factory=set)
    right_reads: set[int] = field(default_factory=set)
    aux_reads: set[int] = field(default_factory=set)
    const_reads: set[int] = field(default_factory=set)

    def left_accesses(self, config: Config) -> int:
        """Reads of left words: every word once a column tile."""
        return len(self.left_reads) * -(-self.op.n // config.cols)

    def right_accesses(self, config: Config) -> int:
        """Reads of right words: every word once a row tile."""
        return len(self.right_reads) * -(-self.op.m // config.rows)

    def writes(self, config: Config, times: MatrixTimes) -> list[tuple[int, int, int]]:
        """(cycle, address, value) of every word that the operation writes, in order."""
        op, cols, rows = self.op, config.cols, config.rows
        length, events, tile = period(config, op.k), [], 0
        for column in range(-(-op.n // cols)):
            for top in range(0, op.m, rows):
                tile += 1
                for i in range(min(rows, op.m - top)):
                    data = self.result[top + i, column * cols : (column + 1) * cols].tobytes()
                    cycle = times.start + tile * length + i * groups(config) + drain(config)
                    events.append((cycle, op.out + (top + i) * op.out_pitch + column, int.from_bytes(data, "little")))
        return events


class Placer:
    """Hands out disjoint stretches of scratchpad and of constants."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.word = rng.randint(0, 9)
        self.const = rng.randint(0, 3)

    def take(self, words: int) -> int:
        """The first of so many words; OverflowError when there is no room."""
        start = self.word
        self.word += words + self.rng.randint(0, 3)
        if self.word > SPAD_WORDS:
            raise OverflowError
        return start

    def take_constants(self, count: int) -> int:
        """The first of so many constants; OverflowError when there is no room."""
        start = self.const
        self.const += count + self.rng.randint(0, 2)
        if self.const > CONSTS:
            raise OverflowError
        return start


def random_bytes(rng: random.Random, shape: tuple[int, ...], unsigned: bool = False) -> NDArray:
    """int8 or uint8: uniform, or all at the extremes, or all the most negative (largest) one."""
    lo, hi = (0, 255) if unsigned else (-128, 127)
    numpy_rng = np.random.default_rng(rng.getrandbits(32))
    kind = rng.randrange(4)
    if kind == 0:
        data = numpy_rng.choice([lo, lo + 1, -1 if lo else 128, 0, 1, hi - 1, hi], size=shape)
    elif kind == 1:
        data = np.full(shape, hi if unsigned else lo)
    else:
        data = numpy_rng.integers(lo, hi + 1, size=shape)
    return data.astype(np.uint8 if unsigned else np.int8)


def random_constant(rng: random.Random, k: int) -> dict[str, int]:
    """Half of them spread the sums over the bytes, the others are anything, extremes included."""
    mult = rng.randint(2**30, 2**31 - 1)
    if rng.random() < 0.5:
        shift = 30 + (k * 16384).bit_length() // 2 + rng.randint(-2, 4)
        return {"bias": rng.randint(-9000, 9000), "mult": mult, "shift": shift, "rfac": rng.randint(-300, 300)}
    return {
        "bias": rng.choice([0, -(2**31), 2**31 - 1, rng.randint(-(2**31), 2**31 - 1)]),
        "mult": rng.choice([mult, rng.randint(0, 2**31 - 1), 0, 1, 2**31 - 1]),
        "shift": rng.choice([0, 1, 2, 31, 32, 62, 63, rng.randint(0, 63)]),
        "rfac": rng.choice([0, -(2**15), 2**15 - 1, rng.randint(-(2**15), 2**15 - 1)]),
    }


def store_rows(case: Case, matrix: NDArray, start: int, pitch: int, cols: int) -> set[int]:
    """Put a row-major int8 matrix into the case's memory; the addresses of its words."""
    used = set()
    for i, row in enumerate(matrix):
        data = list(row.tobytes())
        for word in range(-(-len(data) // cols)):
            part: Word = list(data[word * cols : (word + 1) * cols])
            address = start + i * pitch + word
            case.words[address] = part + [None] * (cols - len(part))
            used.add(address)
    return used


def random_size(rng: random.Random, unit: int, most: int) -> int:
    """A size near the multiples of `unit`, or any."""
    near = rng.randint(1, max(1, most // unit)) * unit + rng.randint(-1, 1)
    return min(most, max(1, rng.choice([1, near, near, rng.randint(1, most)])))


def random_case(rng: random.Random, config: Config, place: Placer, slot: int) -> Case:
    """One operation of any mode, with flags, sizes and operands drawn towards their edges."""
    rows, cols = config.rows, config.cols
    m = random_size(rng, rows, 3 * rows)
    n = random_size(rng, cols, 3 * cols)
    k = random_size(rng, cols, rng.choice([cols, 3 * cols, 5 * cols]))
    mode, uniform, unsigned = rng.randrange(3), rng.random() < 0.3, rng.random() < 0.4
    residual, rowmul = rng.choice([(False, False), (True, False), (False, True)])
    k_words, n_words = -(-k // cols), -(-n // cols)
    k_pitch, n_pitch, out_pitch = k_words + rng.randint(0, 2), n_words + rng.randint(0, 2), n_words + rng.randint(0, 2)

    left, right = random_bytes(rng, (m, k), unsigned), random_bytes(rng, (k, n))
    cidx = place.take_constants(1 if uniform else n)
    constants = [random_constant(rng, k) for _ in range(1 if uniform else n)]
    lo, hi = sorted(rng.choice([(-128, 127), (0, 127), (rng.randint(-128, 127), rng.randint(-128, 127))]))
    aux = random_bytes(rng, (m, n)) if residual else None
    multipliers = [rng.choice([0, 2**31 - 1, 2**30, rng.randint(0, 2**31 - 1)]) for _ in range(m)] if rowmul else None
    aux_pitch = (n_words if residual else 1) + rng.randint(0, 2)
    right_lines, right_pitch = {PANEL: (n_words * k, 1), ROWS: (k, n_pitch), TRANSPOSED: (n, k_pitch)}[mode]

    op = MmOp(
        slot=slot, unsigned_left=unsigned, residual=residual, rowmul=rowmul, double_round=rng.random() < 0.4,
        right_mode=mode, uniform=uniform, cidx=cidx, m=m, n=n, k=k,
        zp=rng.choice([0, -128, 127, rng.randint(-128, 127)]), lo=lo, hi=hi,
        out=place.take(m * out_pitch), out_pitch=out_pitch,
        left=place.take(m * k_pitch), left_pitch=k_pitch,
        right=place.take(right_lines * right_pitch), right_pitch=right_pitch if mode != PANEL else rng.randint(0, 99),
        aux=place.take(m * aux_pitch) if residual or rowmul else rng.randint(0, 9999), aux_pitch=aux_pitch,
    )  # fmt: skip

    column = {name: np.array([c[name] for c in constants]) for name in constants[0]}
    result = matmul(
        left, right, column["bias"], column["mult"], column["shift"], zp=op.zp, lo=lo, hi=hi,
        aux=aux, rfac=column["rfac"], rowmul=multipliers, double=op.double_round,
    )  # fmt: skip
    case = Case(op, result, constants={cidx + j: c for j, c in enumerate(constants)})
    case.const_reads = set(case.constants)
    case.left_reads = store_rows(case, left, op.left, k_pitch, cols)
    if mode == PANEL:
        for t in range(n_words):
            panel = right[:, t * cols : (t + 1) * cols]
            case.right_reads |= store_rows(case, panel, op.right + t * k, 1, cols)
    elif mode == ROWS:
        case.right_reads = store_rows(case, right, op.right, right_pitch, cols)
    else:
        case.right_reads = store_rows(case, np.ascontiguousarray(right.T), op.right, right_pitch, cols)
    if aux is not None:
        case.aux_reads = store_rows(case, aux, op.aux, aux_pitch, cols)
    for i, multiplier in enumerate(multipliers or []):
        value = multiplier | rng.getrandbits(1) << 31  # bit 31 is no part of the multiplier
        case.words[op.aux + i * aux_pitch] = [*value.to_bytes(4, "little")] + [None] * (cols - 4)
        case.aux_reads.add(op.aux + i * aux_pitch)
    return case


def tosa_cases(config: Config) -> list[Case]:
    """MATMUL with a bias and RESCALE per channel, as the TOSA reference model answers them: one operation each."""
    cases = []
    for index, v in enumerate(vectors("matmul")):
        place, cols = Placer(random.Random(index)), config.cols
        left, right = np.array(v["left"], np.int8), np.array(v["right"], np.int8)
        (m, k), n = left.shape, right.shape[1]
        k_words, n_words = -(-k // cols), -(-n // cols)
        op = MmOp(
            slot=index % 8, double_round=v["rounding"] == "double", right_mode=ROWS, cidx=place.take_constants(n),
            m=m, n=n, k=k, zp=v["zp"], lo=-128, hi=127, out=place.take(m * n_words), out_pitch=n_words,
            left=place.take(m * k_words), left_pitch=k_words, right=place.take(k * n_words), right_pitch=n_words,
        )  # fmt: skip
        case = Case(op, np.array(v["out"], np.int8))
        for j in range(n):
            case.constants[op.cidx + j] = {name: v[name][j] for name in ("bias", "mult", "shift")} | {"rfac": 0}
        case.const_reads = set(case.constants)
        case.left_reads = store_rows(case, left, op.left, k_words, cols)
        case.right_reads = store_rows(case, right, op.right, n_words, cols)
        cases.append(case)
    return cases


def random_sequence(rng: random.Random, config: Config, longest: int) -> list[Case]:
    """Operations with disjoint operands: up to `longest`, as many as the memories hold."""
    place, cases = Placer(rng), []
    for index in range(longest):
        try:
            cases.append(random_case(rng, config, place, index % 8))
        except OverflowError:
            break
    return cases
