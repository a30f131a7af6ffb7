# SPDX-License-Identifier: Apache-2.0
"""The same program with every buffer in words of its own: nothing is ever reused, so no lifetime can be wrong."""

from dataclasses import replace

from capra import CompiledModel, Program
from capra.allocate import lowest_starts
from capra.ops import Op
from ga2.isa.encoding import Instruction, Operand, Value, encode
from ga2.spec import Config

BASE_WORDS = 1 << 16  # what an operand's base can say
BANK_WORDS = 64


class NoRoom(ValueError):
    """More words than operands can address."""


def unshared(model: CompiledModel, program: Program) -> CompiledModel:
    """The model in a scratchpad as large as operands can address, each buffer in small banks of its own.

    The model must have that one program. NoRoom if all its buffers side by side are too many words.
    """
    config = model.config
    lowest = lowest_starts(program.ops)
    addresses: dict[str, int] = {}
    end = 0
    for name in lowest:
        # Room below it: a base may lie rows before its buffer, where LEN and M lead back into it.
        addresses[name] = end + _banks(lowest[name])
        end = addresses[name] + _banks(program.buffers[name].words(config.max_len, config.m_max))
    if end > BASE_WORDS:
        raise NoRoom(f"{program.name}: {end} words in buffers of their own; operands reach {BASE_WORDS}")
    larger = with_room(config, BASE_WORDS // BANK_WORDS)
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


def with_room(config: Config, banks: int) -> Config:
    """The configuration with a scratchpad as large as operands can address, in so many banks."""
    return config.model_copy(update={"spad_bytes": BASE_WORDS * config.cols, "banks": banks})


def _banks(words: int) -> int:
    """Rounded up to whole banks."""
    return -(-words // BANK_WORDS) * BANK_WORDS


def _moved(instruction: Instruction, op: Op, program: Program, addresses: dict[str, int]) -> Instruction:
    fields: dict[str, Value] = dict(instruction.fields)
    for name, ref in op.operands.items():
        old = fields[name]
        assert isinstance(old, Operand)
        base = old.base - program.addresses[ref.buffer] + addresses[ref.buffer]
        fields[name] = Operand(base, old.pitch, old.a, old.b)
    return Instruction(instruction.op, fields)
