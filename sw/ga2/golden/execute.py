# SPDX-License-Identifier: Apache-2.0
"""What each unit does with a resolved operation: one function a unit, on the machine's memories.

A function reads all its operands before it writes, which is what in-place operation means here.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from ga2.golden import numerics
from ga2.golden.constants import ConstantMemory
from ga2.golden.memory import BusError, Memory
from ga2.golden.scratchpad import Scratchpad
from ga2.golden.shapes import words_of
from ga2.spec import Config
from ga2.timing.bursts import split_row
from ga2.timing.ops import LdOp, MmOp, SmOp, StOp, VecOp


class ExecutionFault(Exception):
    """An imprecise fault: its name in spec/isa.yaml and FAULT_ADDR."""

    def __init__(self, name: str, address: int) -> None:
        super().__init__(name, address)
        self.name = name
        self.address = address


class Machine(Protocol):
    """The memories that operations work on."""

    config: Config
    spad: Scratchpad
    constants: ConstantMemory
    memory: Memory


def load(op: LdOp, machine: Machine) -> None:
    """LD and LDG: rows of external memory into the scratchpad, row i of a gather from table row id[i]."""
    table_rows = range(op.rows)
    if op.gather:
        table_rows = machine.spad.values("ids", op.ids, op.ids_pitch, op.rows).tolist()
    for row, table_row in enumerate(table_rows):
        if op.gather and table_row >= op.limit:
            raise ExecutionFault("gather_id", table_row)
        try:
            data = machine.memory.read(op.ext_addr + table_row * op.ext_pitch_bytes, op.words * machine.config.cols)
        except BusError as error:
            raise ExecutionFault("read_decerr", error.address) from None
        machine.spad.write_rows(op.dst + row * op.dst_pitch, op.dst_pitch, data[np.newaxis])


def store(op: StOp, machine: Machine) -> None:
    """ST: rows of the scratchpad into external memory, burst by burst."""
    for row, data in enumerate(machine.spad.rows("src", op.src, op.src_pitch, op.rows, op.words)):
        address, done = op.ext_addr + row * op.ext_pitch_bytes, 0
        for beats in split_row(machine.config, address, op.words):
            size = beats * machine.config.bus_bytes
            try:
                machine.memory.write(address + done, data[done : done + size])
            except BusError:
                raise ExecutionFault("write_decerr", address + done) from None
            done += size


def _right(op: MmOp, machine: Machine) -> numerics.Int8:
    """The right operand as int8 [k, n], from any of its three layouts."""
    spad, cols = machine.spad, machine.config.cols
    tiles, beats = words_of(op.n, cols), words_of(op.k, cols)
    if op.right_mode == 0:
        panels = spad.rows("right", op.right, 0, 1, tiles * op.k).reshape(tiles, op.k, cols)
        right = panels.transpose(1, 0, 2).reshape(op.k, tiles * cols)[:, : op.n]
    elif op.right_mode == 1:
        right = spad.rows("right", op.right, op.right_pitch, op.k, tiles)[:, : op.n]
    else:
        right = spad.rows("right", op.right, op.right_pitch, op.n, beats)[:, : op.k].T
    return right.view(np.int8)


def matrix(op: MmOp, machine: Machine) -> None:
    """MM: a product with bias, residual or row multipliers, requantised."""
    spad, cols = machine.spad, machine.config.cols
    left = spad.rows("left", op.left, op.left_pitch, op.m, words_of(op.k, cols))[:, : op.k]
    right = _right(op, machine)
    column = machine.constants.columns(op.cidx, 1 if op.uniform else op.n)
    aux = rowmul = None
    if op.residual:
        aux = spad.rows("aux", op.aux, op.aux_pitch, op.m, words_of(op.n, cols))[:, : op.n].view(np.int8)
    if op.rowmul:
        rowmul = spad.values("aux", op.aux, op.aux_pitch, op.m)
    out = numerics.matmul(
        left if op.unsigned_left else left.view(np.int8),
        right,
        column.bias,
        column.mult,
        column.shift,
        zp=op.zp,
        lo=op.lo,
        hi=op.hi,
        aux=aux,
        rfac=column.rfac,
        rowmul=rowmul,
        double=op.double_round,
    )
    spad.write_rows(op.out, op.out_pitch, out)


def _scores(op: SmOp, machine: Machine, lengths: numerics.Int64) -> numerics.Int8:
    """The scores, int8 [rows, n]: each row is read up to its own length, the rest is zero."""
    cols = machine.config.cols
    scores = np.zeros((op.rows, words_of(op.n, cols) * cols), np.uint8)
    for row, length in enumerate(lengths.tolist()):
        words = words_of(length, cols)
        scores[row, : words * cols] = machine.spad.rows("src", op.src + row * op.src_pitch, 0, 1, words)[0]
    return scores[:, : op.n].view(np.int8)


def softmax(op: SmOp, machine: Machine) -> None:
    """SM: exps of the scores against each row's maximum, and a multiplier a row."""
    lengths = op.len + op.step * np.arange(op.rows)
    scores = _scores(op, machine, lengths)
    out, multipliers = numerics.softmax_rows(scores, lengths, op.emul, op.scale, norm=op.norm)
    machine.spad.write_rows(op.dst, op.dst_pitch, out)
    machine.spad.write_values(op.rmul, op.rmul_pitch, multipliers)


def vector(op: VecOp, machine: Machine) -> None:
    """VEC and AMAX: one or two scaled operands, or the index of each row's largest element."""
    spad, words = machine.spad, words_of(op.n, machine.config.cols)
    a = spad.rows("a", op.a, op.a_pitch, op.rows, words)[:, : op.n].view(np.int8)
    if op.amax:
        spad.write_values(op.out, op.out_pitch, numerics.argmax_rows(a))
        return
    b = spad.rows("b", op.b, op.b_pitch, op.rows, words)[:, : op.n].view(np.int8) if op.second else None
    out = numerics.vec(a, op.ma, b, op.mb, shift=op.shift, zp=op.zp, lo=op.lo, hi=op.hi)
    spad.write_rows(op.out, op.out_pitch, out)


EXECUTE: dict[type, Callable[[Any, Machine], None]] = {
    LdOp: load,
    StOp: store,
    MmOp: matrix,
    SmOp: softmax,
    VecOp: vector,
}
