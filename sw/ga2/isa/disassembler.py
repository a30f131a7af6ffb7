# SPDX-License-Identifier: Apache-2.0
"""Program images to text that `ga2.isa.assembler` reads back to the same bytes."""

from ga2.isa.aliases import contract
from ga2.isa.encoding import Constant, DecodeError, Dim, Ext, Instruction, Operand, Value, decode
from ga2.isa.image import Image
from ga2.isa.operands import present_operands
from ga2.spec import ISA, Field

NOTE_COLUMN = 88


def format_affine(dim: Dim) -> str:
    """`2*LEN+M+5`; zero parts are left out, and zero itself is `0`."""
    terms = [name if factor == 1 else f"{factor}*{name}" for name, factor in (("LEN", dim.a), ("M", dim.b)) if factor]
    return "+".join(terms + ([str(dim.imm)] if dim.imm or not terms else []))


def format_value(spec: Field, value: Value) -> str:
    """A field's value as the assembler reads it."""
    if isinstance(value, Dim):
        return format_affine(value)
    if isinstance(value, Operand | Ext):
        rows = f" @ {format_affine(Dim(0, value.a, value.b))}" if value.a or value.b else ""
        if isinstance(value, Ext):
            return f"win{value.win}[0x{value.offset:x}:{value.pitch}{rows}]"
        return f"[0x{value.base:x}:{value.pitch}{rows}]"
    return str(value)


def _is_zero(spec: Field, value: Value) -> bool:
    if spec.kind == "enum":
        return spec.values[str(value)] == 0
    return value in (0, Dim(), Operand(), Ext())


def format_instruction(instruction: Instruction) -> str:
    """One line of assembly; fields that are zero are left out, but for the operands that the instruction uses."""
    name, values = contract(instruction)
    used = {entry.name for entry in present_operands(instruction)}
    parts = [
        f"{spec.name}={format_value(spec, values[spec.name])}"
        for spec in instruction.spec.fields
        if spec.name in values and (spec.name in used or not _is_zero(spec, values[spec.name]))
    ]
    return " ".join([f"{name:5}", *parts]).rstrip()


def disassemble_word(word: int) -> str:
    """One instruction word as a line of assembly; `.word` if it is not legal."""
    try:
        return format_instruction(decode(word))
    except DecodeError:
        return f".word 0x{word:064x}"


def format_constant(constant: Constant) -> str:
    """One `.const` line."""
    values = ((spec.name, getattr(constant, spec.name)) for spec in ISA.constant)
    return " ".join([".const", *(f"{name}={value}" for name, value in values if value)])


def disassemble(image: Image) -> str:
    """The whole image as assembly text: configuration, constants, then instructions with their entries and notes."""
    lines = [f".config {image.config}", *(format_constant(constant) for constant in image.constants)]
    for pc, word in enumerate(image.instructions):
        lines += [f".entry {name}" for name, at in image.entries.items() if at == pc]
        text = disassemble_word(word)
        lines.append(f"{text:{NOTE_COLUMN}} ; {image.notes[pc]}" if pc in image.notes else text)
    return "\n".join(lines) + "\n"
