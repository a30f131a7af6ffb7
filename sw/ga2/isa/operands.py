# SPDX-License-Identifier: Apache-2.0
"""Which of its scratchpad operands an instruction uses: a product's aux and a vector's b are optional."""

from functools import lru_cache

from ga2.isa.encoding import Instruction
from ga2.spec import ISA, Field


def unused_operand(instruction: Instruction) -> str:
    """The operand whose field this instruction ignores, or ""."""
    fields = instruction.fields
    if instruction.op == "MM" and not (fields["residual"] or fields["rowmul"]):
        return "aux"
    if instruction.op == "VEC" and not fields["second"]:
        return "b"
    return ""


def present_operands(instruction: Instruction) -> tuple[Field, ...]:
    """The scratchpad operands that the instruction uses, in the order of the word: destination first."""
    return _operands_without(instruction.op, unused_operand(instruction))


@lru_cache
def _operands_without(op: str, unused: str) -> tuple[Field, ...]:
    fields = ISA.instructions[op].fields
    operands = (entry for entry in fields if entry.kind == "operand" and entry.name != unused)
    return tuple(sorted(operands, key=lambda entry: entry.lsb))
