# SPDX-License-Identifier: Apache-2.0
"""Which of its scratchpad operands an instruction uses: a product's aux and a vector's b are optional."""

from ga2.isa.encoding import Instruction
from ga2.spec import Field


def unused_operands(instruction: Instruction) -> set[str]:
    """Operands whose fields this instruction ignores."""
    fields = instruction.fields
    if instruction.op == "MM" and not (fields["residual"] or fields["rowmul"]):
        return {"aux"}
    if instruction.op == "VEC" and not fields["second"]:
        return {"b"}
    return set()


def present_operands(instruction: Instruction) -> list[Field]:
    """The scratchpad operands that the instruction uses, in the order of the word: destination first."""
    unused = unused_operands(instruction)
    operands = (entry for entry in instruction.spec.fields if entry.kind == "operand" and entry.name not in unused)
    return sorted(operands, key=lambda entry: entry.lsb)
