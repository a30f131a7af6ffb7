# SPDX-License-Identifier: Apache-2.0
"""Assembler names for common uses of an instruction.

VADD is VEC with a second operand; VRELU is VEC whose lower clamp is the output's zero point; RQ is any other VEC.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ga2.isa.encoding import EncodeError, Instruction, Value
from ga2.spec import ISA


@dataclass(frozen=True)
class Alias:
    """`implied` gives, from the other fields, the fields that the name alone stands for."""

    op: str
    implied: Callable[[Mapping[str, Value]], dict[str, Value]]


ALIASES = {
    "VADD": Alias("VEC", lambda fields: {"second": 1}),
    "VRELU": Alias("VEC", lambda fields: {"second": 0, "lo": fields.get("zp", 0)}),
    "RQ": Alias("VEC", lambda fields: {"second": 0}),
}

if sorted(ALIASES) != sorted(name for spec in ISA.instructions.values() for name in spec.aliases):
    raise ImportError("spec/isa.yaml and ga2.isa.aliases name different aliases")


def expand(name: str, fields: Mapping[str, Value]) -> dict[str, Value]:
    """The fields with those that alias `name` implies; EncodeError if one of them is given otherwise."""
    if name not in ALIASES:
        return dict(fields)
    implied = ALIASES[name].implied(fields)
    for field, value in implied.items():
        if fields.get(field, value) != value:
            raise EncodeError(f"{name} implies {field}={value}, not {fields[field]}: use {ALIASES[name].op} for that")
    return {**fields, **implied}


def contract(instruction: Instruction) -> tuple[str, dict[str, Value]]:
    """The name to print an instruction with, and the fields that the name does not imply already."""
    fields = dict(instruction.fields)
    if instruction.op != "VEC":
        return instruction.op, fields
    if fields["second"]:
        name = "VADD"
    elif fields["lo"] == fields["zp"] and isinstance(fields["ma"], int) and fields["ma"] > 0:
        name = "VRELU"
    else:
        name = "RQ"
    implied = ALIASES[name].implied(fields)
    return name, {field: value for field, value in fields.items() if field not in implied}
