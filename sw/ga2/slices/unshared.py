# SPDX-License-Identifier: Apache-2.0
"""The same program with every buffer in words of its own: nothing is ever reused, so no lifetime can be wrong."""

from dataclasses import replace

from capra import CompiledModel, Program
from capra.ops import Op
from ga2.isa.encoding import Instruction, Operand, Value, encode

BASE_WORDS = 1 << 16  # what an operand's base can say


def unshared(model: CompiledModel, program: Program) -> CompiledModel | None:
    """The model in a scratchpad as large as operands can address, each buffer in banks of its own; None if too small.

    The model must have that one program.
    """
    config = model.config
    addresses: dict[str, int] = {}
    end = 0
    for name, buffer in program.buffers.items():
        # A whole bank below it: a start may lie before its buffer by as many rows as LEN and M then add.
        addresses[name] = end + config.bank_words
        end = addresses[name] + -(-buffer.words(config.max_len, config.m_max) // config.bank_words) * config.bank_words
    if end > BASE_WORDS:
        return None
    larger = config.model_copy(
        update={"spad_bytes": BASE_WORDS * config.cols, "banks": BASE_WORDS // config.bank_words}
    )
    moved = [_moved(at, op, program, addresses) for at, op in zip(program.instructions, program.ops, strict=False)]
    instructions = (*moved, program.instructions[-1])
    words = list(model.image.instructions)
    words[program.entry : program.entry + len(instructions)] = map(encode, instructions)
    return replace(
        model,
        config=larger,
        image=replace(model.image, instructions=words),
        programs={program.name: replace(program, addresses=addresses, instructions=instructions)},
    )


def _moved(instruction: Instruction, op: Op, program: Program, addresses: dict[str, int]) -> Instruction:
    fields: dict[str, Value] = dict(instruction.fields)
    for name, ref in op.operands.items():
        old = fields[name]
        assert isinstance(old, Operand)
        base = old.base - program.addresses[ref.buffer] + addresses[ref.buffer]
        fields[name] = Operand(base, old.pitch, old.a, old.b)
    return Instruction(instruction.op, fields)
