# SPDX-License-Identifier: Apache-2.0
"""Emission: operations and addresses to instructions, with constants shared by all programs of a model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from capra.affine import Affine
from capra.layout import Layout
from capra.ops import Op, Ref
from ga2.isa.encoding import Constant, Dim, Ext, Instruction, Operand, Value, encode


class EmitError(ValueError):
    """A program that its configuration cannot hold."""


@dataclass
class ConstantPool:
    """The constant memory of a model. Equal runs of constants are stored once."""

    depth: int
    constants: list[Constant] = field(default_factory=list)

    def index(self, wanted: Sequence[Constant]) -> int:
        """Where `wanted` lies, appending it if it is not there yet; EmitError if the memory is full."""
        count, run = len(wanted), list(wanted)
        for start in range(len(self.constants) - count + 1):
            if self.constants[start] == run[0] and self.constants[start : start + count] == run:
                return start
        if len(self.constants) + count > self.depth:
            raise EmitError(f"{len(self.constants) + count} constants, but the constant memory holds {self.depth}")
        self.constants += wanted
        return len(self.constants) - count


def _dim(size: Affine) -> Dim:
    return Dim(size.imm, size.a, size.b)


def _operand(ref: Ref, addresses: Mapping[str, int]) -> Operand:
    base = addresses[ref.buffer] + ref.word + ref.row.imm * ref.pitch
    return Operand(base, ref.pitch, ref.row.a, ref.row.b)


def _ext(op: Op, layout: Layout) -> Ext:
    assert op.ext is not None
    item, row = layout.items[op.ext.item], op.ext.row
    return Ext(item.offset + op.ext.word + row.imm * item.pitch, item.pitch, item.window, row.a, row.b)


def emit(program: Sequence[Op], addresses: Mapping[str, int], layout: Layout, pool: ConstantPool) -> list[Instruction]:
    """The program's instructions, HALT last. Sizes that a field cannot hold raise the encoder's error."""
    instructions = []
    for op in program:
        fields: dict[str, Value] = dict(op.fields)
        for name, size in op.dims.items():
            if size.imm < 0:
                raise EmitError(f"{op.node}: {op.opcode} {name} = {size}: a size has no negative part beside LEN and M")
            fields[name] = _dim(size)
        fields.update({name: _operand(ref, addresses) for name, ref in op.operands.items()})
        if op.ext is not None:
            fields["ext"] = _ext(op, layout)
        if op.constants:
            fields["const"] = pool.index(op.constants)
        instructions.append(Instruction(op.opcode, fields))
    return [*instructions, Instruction("HALT")]


def words(instructions: Sequence[Instruction]) -> list[int]:
    """The encoded program."""
    return [encode(instruction) for instruction in instructions]
