# SPDX-License-Identifier: Apache-2.0
"""A second opinion on the golden core: every operation byte by byte in plain Python, straight from the manual.

It shares nothing with the interpreter but the resolved operation: no numpy, no common helper, no common layout code.
"""

from ga2.isa.encoding import Constant
from ga2.timing.ops import LdOp, MmOp, SmOp, StOp, VecOp


def signed(value: int, bits: int) -> int:
    """The two's complement number in the low bits of `value`."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def clamp(value: int, op: MmOp | VecOp) -> int:
    return min(max(value + op.zp, op.lo), op.hi)


class ScalarMachine:
    """Scratchpad and memory as bytearrays; `execute` changes them as one instruction does."""

    def __init__(self, cols: int, words: int, memory: bytes, constants: list[Constant]) -> None:
        self.cols = cols
        self.spad = bytearray(words * cols)
        self.memory = bytearray(memory)
        self.constants = constants

    def at(self, start: int, pitch: int, row: int, byte: int) -> int:
        return (start + row * pitch) * self.cols + byte

    def int8(self, start: int, pitch: int, row: int, byte: int) -> int:
        return signed(self.spad[self.at(start, pitch, row, byte)], 8)

    def value(self, start: int, pitch: int, row: int) -> int:
        at = self.at(start, pitch, row, 0)
        return int.from_bytes(self.spad[at : at + 4], "little")

    def put_row(self, start: int, pitch: int, row: int, data: list[int]) -> None:
        padding = -len(data) % self.cols
        at = self.at(start, pitch, row, 0)
        self.spad[at : at + len(data) + padding] = bytes(value & 0xFF for value in data) + bytes(padding)

    def put_value(self, start: int, pitch: int, row: int, value: int) -> None:
        self.put_row(start, pitch, row, list(value.to_bytes(self.cols, "little")))

    def execute(self, op: object) -> None:
        {LdOp: self.load, StOp: self.store, MmOp: self.matrix, SmOp: self.softmax, VecOp: self.vector}[type(op)](op)

    def load(self, op: LdOp) -> None:
        for row in range(op.rows):
            table_row = self.value(op.ids, op.ids_pitch, row) if op.gather else row
            source = op.ext_addr + table_row * op.ext_pitch_bytes
            self.put_row(op.dst, op.dst_pitch, row, list(self.memory[source : source + op.words * self.cols]))

    def store(self, op: StOp) -> None:
        for row in range(op.rows):
            for byte in range(op.words * self.cols):
                self.memory[op.ext_addr + row * op.ext_pitch_bytes + byte] = self.spad[
                    self.at(op.src, op.src_pitch, row, byte)
                ]

    def right(self, op: MmOp, k: int, j: int) -> int:
        if op.right_mode == 0:
            return signed(self.spad[(op.right + j // self.cols * op.k + k) * self.cols + j % self.cols], 8)
        if op.right_mode == 1:
            return self.int8(op.right, op.right_pitch, k, j)
        return self.int8(op.right, op.right_pitch, j, k)

    def matrix(self, op: MmOp) -> None:
        rows = []
        for i in range(op.m):
            row = []
            for j in range(op.n):
                constant = self.constants[op.cidx + (0 if op.uniform else j)]
                total = constant.bias
                for k in range(op.k):
                    left = self.int8(op.left, op.left_pitch, i, k)
                    total += (left & 0xFF if op.unsigned_left else left) * self.right(op, k, j)
                if op.residual:
                    total += self.int8(op.aux, op.aux_pitch, i, j) * constant.rfac
                total = signed(total, 32)
                mult = self.value(op.aux, op.aux_pitch, i) & 0x7FFFFFFF if op.rowmul else constant.mult
                rounding = 1 << (constant.shift - 1) if constant.shift else 0
                if op.double_round and constant.shift > 31:
                    rounding += 1 << 30 if total >= 0 else -(1 << 30)
                row.append(clamp((total * mult + rounding) >> constant.shift, op))
            rows.append(row)
        for i, row in enumerate(rows):
            self.put_row(op.out, op.out_pitch, i, row)

    def softmax(self, op: SmOp) -> None:
        bits = 6
        for i in range(op.rows):
            length = op.len + i * op.step
            scores = [self.int8(op.src, op.src_pitch, i, j) for j in range(length)]
            exps = []
            for score in scores:
                index = ((max(scores) - score) * op.emul + (1 << (14 - bits))) >> (15 - bits)
                octaves, fraction = index >> bits, index % (1 << bits)
                e16 = int(65280 * 2 ** (-fraction / (1 << bits)) + 0.5)
                if octaves:
                    e16 = 0 if octaves > 16 else (e16 + (1 << (octaves - 1))) >> octaves
                exps.append(e16)
            multiplier = min((1 << 31) - 1, (op.scale << 16) // sum(exps))
            if op.norm:
                out = [min(255, (e16 * multiplier + (1 << 37)) >> 38) for e16 in exps]
            else:
                out = [(e16 + 128) >> 8 for e16 in exps]
            self.put_row(op.dst, op.dst_pitch, i, out + [0] * (op.n - length))
            self.put_value(op.rmul, op.rmul_pitch, i, multiplier)

    def vector(self, op: VecOp) -> None:
        for i in range(op.rows):
            a = [self.int8(op.a, op.a_pitch, i, j) for j in range(op.n)]
            if op.amax:
                self.put_value(op.out, op.out_pitch, i, a.index(max(a)))
                continue
            b = [self.int8(op.b, op.b_pitch, i, j) if op.second else 0 for j in range(op.n)]
            half = 1 << (op.shift - 1) if op.shift else 0
            row = [clamp((x * op.ma + y * op.mb + half) >> op.shift, op) for x, y in zip(a, b, strict=True)]
            self.put_row(op.out, op.out_pitch, i, row)
