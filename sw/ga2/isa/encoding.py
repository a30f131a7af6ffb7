# SPDX-License-Identifier: Apache-2.0
"""Instructions and constants as words, and back. Positions and widths come from `spec/isa.yaml` alone.

An `Instruction` holds its fields by name: integers for flags and numbers, a name for an enum, and `Dim`, `Operand` or
`Ext` for the composite kinds. A field left out is zero.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, NamedTuple

from ga2.spec import ISA, Field, InstructionSpec

WORD_BYTES = ISA.width // 8
CONSTANT_BYTES = ISA.constant_width // 8


class EncodeError(ValueError):
    """A value that its field cannot hold, or a field that the instruction does not have."""


class DecodeError(ValueError):
    """A word that is no legal instruction; the text says why."""


@dataclass(frozen=True)
class Dim:
    """A dimension: imm + a*LEN + b*M."""

    imm: int = 0
    a: int = 0
    b: int = 0


@dataclass(frozen=True)
class Operand:
    """A scratchpad operand in words: row 0 starts at base + (a*LEN + b*M)*pitch, row i another i*pitch on."""

    base: int = 0
    pitch: int = 0
    a: int = 0
    b: int = 0


@dataclass(frozen=True)
class Ext:
    """An external operand, counted in scratchpad words from the base of window `win`; rows as in `Operand`."""

    offset: int = 0
    pitch: int = 0
    win: int = 0
    a: int = 0
    b: int = 0


Value = int | str | Dim | Operand | Ext


class Part(NamedTuple):
    """One bit range of a composite field, relative to the field's lowest bit."""

    name: str
    lsb: int
    width: int


COMPOSITES: dict[str, tuple[type, tuple[Part, ...]]] = {
    "dim": (Dim, (Part("imm", 0, 12), Part("a", 12, 2), Part("b", 14, 2))),
    "operand": (Operand, (Part("base", 0, 16), Part("pitch", 16, 12), Part("a", 28, 2), Part("b", 30, 2))),
    "ext": (
        Ext,
        (Part("offset", 0, 32), Part("pitch", 32, 16), Part("a", 48, 2), Part("b", 50, 2), Part("win", 52, 2)),
    ),
}


@dataclass(frozen=True)
class Instruction:
    """One instruction: its mnemonic in `spec/isa.yaml` and its fields by name."""

    op: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.op, frozenset(self.fields.items())))

    @property
    def spec(self) -> InstructionSpec:
        """The instruction's entry in the specification."""
        return ISA.instructions[self.op]


def value_range(width: int, signed: bool) -> tuple[int, int]:
    """The smallest and the largest value of `width` bits."""
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)


def _bits(where: str, value: Any, width: int, signed: bool = False) -> int:
    """`value` as `width` unsigned bits; EncodeError names `where` and the legal range."""
    low, high = value_range(width, signed)
    if isinstance(value, bool):
        value = int(value)
    if not isinstance(value, int):
        raise EncodeError(f"{where} = {value!r}: expected an integer {low}..{high}")
    if not low <= value <= high:
        raise EncodeError(f"{where} = {value}: must lie in {low}..{high}")
    return value & ((1 << width) - 1)


def _number(bits: int, width: int, signed: bool) -> int:
    return bits - (1 << width) if signed and bits >> (width - 1) else bits


def encode_field(where: str, spec: Field, value: Any) -> int:
    """The bits of one field, at bit 0; EncodeError begins with `where`."""
    if spec.kind in COMPOSITES:
        kind, parts = COMPOSITES[spec.kind]
        if spec.kind == "dim" and isinstance(value, int):
            value = Dim(value)
        if not isinstance(value, kind):
            raise EncodeError(f"{where} = {value!r}: expected {kind.__name__}(...)")
        return sum(_bits(f"{where}.{part.name}", getattr(value, part.name), part.width) << part.lsb for part in parts)
    if spec.kind == "enum":
        if value in spec.values:
            return spec.values[value]
        if value in spec.values.values():
            return int(value)
        raise EncodeError(f"{where} = {value!r}: must be one of {', '.join(spec.values)}")
    return _bits(where, value, spec.bits, spec.kind == "int")


def _decode_field(spec: Field, bits: int) -> Value:
    if spec.kind in COMPOSITES:
        kind, parts = COMPOSITES[spec.kind]
        return kind(**{part.name: (bits >> part.lsb) & ((1 << part.width) - 1) for part in parts})
    if spec.kind == "enum":
        for name, code in spec.values.items():
            if code == bits:
                return name
        raise DecodeError(f"{spec.name} = {bits} means nothing")
    return _number(bits, spec.bits, spec.kind == "int")


def _excludes(instruction: Instruction) -> str | None:
    """Why fields that are legal one by one are illegal together, or None."""
    if instruction.fields.get("residual") and instruction.fields.get("rowmul"):
        return "residual and rowmul exclude each other: both need the aux operand"
    return None


def encode(instruction: Instruction) -> int:
    """The 256-bit word of an instruction; EncodeError names the instruction, the field, the value and the range."""
    if instruction.op not in ISA.instructions:
        raise EncodeError(f"unknown instruction {instruction.op}: choose one of {', '.join(ISA.instructions)}")
    spec = instruction.spec
    known = {entry.name: entry for entry in spec.fields}
    word = spec.opcode
    for name, value in instruction.fields.items():
        if name not in known:
            raise EncodeError(f"{spec.name} has no field {name}: it has {', '.join(known) or 'none'}")
        word |= encode_field(f"{spec.name} {name}", known[name], value) << known[name].lsb
    if reason := _excludes(instruction):
        raise EncodeError(f"{spec.name}: {reason}")
    return word


def _used_bits(spec: Field) -> int:
    """The bits of its word that a field may set: of a composite, those of its parts."""
    if spec.kind not in COMPOSITES:
        return spec.mask
    return sum(((1 << part.width) - 1) << (spec.lsb + part.lsb) for part in COMPOSITES[spec.kind][1])


_BY_OPCODE = ISA.by_opcode
LEGAL_BITS = {opcode: 0xFF | sum(_used_bits(entry) for entry in spec.fields) for opcode, spec in _BY_OPCODE.items()}


@lru_cache(maxsize=8192)
def decode(word: int) -> Instruction:
    """The instruction of a 256-bit word, every field present; DecodeError if the hardware calls it illegal."""
    opcode = word & 0xFF
    spec = _BY_OPCODE.get(opcode)
    if spec is None:
        raise DecodeError(f"unknown opcode 0x{opcode:02x}")
    if reserved := word & ~LEGAL_BITS[opcode]:
        raise DecodeError(f"{spec.name}: reserved bit {(reserved & -reserved).bit_length() - 1} is set")
    values: dict[str, Value] = {}
    for entry in spec.fields:
        try:
            values[entry.name] = _decode_field(entry, (word & entry.mask) >> entry.lsb)
        except DecodeError as error:
            raise DecodeError(f"{spec.name}: {error}") from None
    instruction = Instruction(spec.name, values)
    if reason := _excludes(instruction):
        raise DecodeError(f"{spec.name}: {reason}")
    return instruction


def word_bytes(word: int) -> bytes:
    """The 32 little-endian bytes of an instruction word as they lie in memory."""
    return word.to_bytes(WORD_BYTES, "little")


@dataclass(frozen=True)
class Constant:
    """One column's constants: int32 bias, 31-bit multiplier, shift 0..63, int16 residual factor."""

    bias: int = 0
    mult: int = 0
    shift: int = 0
    rfac: int = 0

    def to_bytes(self) -> bytes:
        """The 16 bytes of an image; EncodeError if a value does not fit."""
        word = 0
        for spec in ISA.constant:
            value = getattr(self, spec.name)
            word |= _bits(f"constant {spec.name}", value, spec.bits, spec.kind == "int") << spec.lsb
        return word.to_bytes(CONSTANT_BYTES, "little")

    @classmethod
    def from_bytes(cls, raw: bytes) -> "Constant":
        """The constant that the core reads from 16 bytes; it ignores the bits that no field covers."""
        word = int.from_bytes(raw, "little")
        values = {
            spec.name: _number((word & spec.mask) >> spec.lsb, spec.bits, spec.kind == "int") for spec in ISA.constant
        }
        return cls(**values)


if {entry.name for entry in fields(Constant)} != {spec.name for spec in ISA.constant}:
    raise ImportError("spec/isa.yaml and ga2.isa.encoding.Constant name different fields")
