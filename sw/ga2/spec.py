# SPDX-License-Identifier: Apache-2.0
"""The single sources under `spec/`, read once and checked: instruction set, registers, configurations.

Everything that needs an opcode, a field position, a register offset, a fault code or the size of a configuration
asks here; nothing else reads the YAML files.
"""

from functools import lru_cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, model_validator

SPEC_DIR = Path(__file__).resolve().parents[2] / "spec"

DIM_BITS = 16
OPERAND_BITS = 32
EXT_BITS = 54
KIND_WIDTH = {"flag": 1, "dim": DIM_BITS, "operand": OPERAND_BITS, "ext": EXT_BITS}


class Strict(BaseModel):
    """An immutable record that refuses unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Config(Strict):
    """One named configuration of the core. Sizes in bytes where the name says so, else in entries or bits of array."""

    name: str
    rows: int
    cols: int
    bus_bytes: int
    spad_bytes: int
    banks: int
    lanes: int
    max_len: int
    imem_depth: int
    cmem_depth: int
    m_max: int
    window_slots: int
    read_outstanding: int
    write_outstanding: int
    purpose: str

    @model_validator(mode="after")
    def _consistent(self) -> "Config":
        rules = {
            "rows must not exceed cols": self.rows <= self.cols,
            "bus_bytes must divide cols": self.cols % self.bus_bytes == 0,
            "bus_bytes must be a power of two": self.bus_bytes & (self.bus_bytes - 1) == 0,
            "cols must be a power of two": self.cols & (self.cols - 1) == 0,
            "cols must be 4 to 16 (an id takes one word, a constant at least one)": 4 <= self.cols <= 16,
            "lanes must divide cols": self.cols % self.lanes == 0,
            "banks must divide the scratchpad's words": self.spad_words % self.banks == 0,
            "a bank must be a power of two words": self.bank_words & (self.bank_words - 1) == 0,
        }
        for rule, holds in rules.items():
            if not holds:
                raise ValueError(f"configuration {self.name}: {rule}")
        return self

    @property
    def spad_words(self) -> int:
        """Words of `cols` bytes in the scratchpad."""
        return self.spad_bytes // self.cols

    @property
    def bank_words(self) -> int:
        """Words in one scratchpad bank."""
        return self.spad_words // self.banks

    @property
    def beats_per_word(self) -> int:
        """Bus beats that bring one scratchpad word."""
        return self.cols // self.bus_bytes


class Field(Strict):
    """One field of an instruction or of a constant."""

    name: str
    lsb: int
    kind: Literal["flag", "uint", "int", "enum", "dim", "operand", "ext"]
    width: int = 0
    values: dict[str, int] = {}
    access: Literal["", "read", "write"] = ""

    @property
    def bits(self) -> int:
        """Width in bits."""
        return KIND_WIDTH.get(self.kind, self.width)

    @property
    def mask(self) -> int:
        """The bits that the field covers in its word."""
        return ((1 << self.bits) - 1) << self.lsb


class InstructionSpec(Strict):
    """One opcode: its unit, fields and assembler aliases."""

    name: str
    opcode: int
    unit: str
    summary: str
    aliases: tuple[str, ...] = ()
    fields: tuple[Field, ...]

    def field(self, name: str) -> Field:
        """The field called `name`; KeyError if there is none."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(f"{self.name} has no field {name}")

    @property
    def mask(self) -> int:
        """Every bit that may be set: the opcode and the fields."""
        mask = 0xFF
        for field in self.fields:
            mask |= field.mask
        return mask


class Fault(Strict):
    """Why a program stopped."""

    name: str
    code: int
    kind: Literal["none", "precise", "imprecise"]
    meaning: str


class Isa(Strict):
    """The instruction set: instructions by name, units, faults, the layout of a constant."""

    width: int
    units: dict[str, int]
    instructions: dict[str, InstructionSpec]
    constant: tuple[Field, ...]
    constant_width: int
    faults: dict[str, Fault]

    @property
    def by_opcode(self) -> dict[int, InstructionSpec]:
        """Instructions by opcode."""
        return {spec.opcode: spec for spec in self.instructions.values()}

    @property
    def fault_by_code(self) -> dict[int, Fault]:
        """Faults by code."""
        return {fault.code: fault for fault in self.faults.values()}


class Register(Strict):
    """One AXI4-Lite register: byte offset and what may be done to it."""

    name: str
    offset: int
    access: Literal["ro", "rw", "wo", "w1c"]
    summary: str
    fields: dict[str, int] = {}


class Counter(Strict):
    """One performance counter; its register follows the former one's."""

    name: str
    kind: Literal["total", "busy", "partition", "event"]
    summary: str
    offset: int


class RegisterMap(Strict):
    """Every register and counter."""

    address_bits: int
    magic: int
    registers: dict[str, Register]
    counters: tuple[Counter, ...]


def _read(name: str) -> dict:
    return yaml.safe_load((SPEC_DIR / name).read_text())


@lru_cache
def _configurations() -> dict[str, Config]:
    raw = _read("configurations.yaml")
    named = raw.pop("configurations")
    return {name: Config(name=name, **raw, **sizes) for name, sizes in named.items()}


def _disjoint_fields(instruction: InstructionSpec) -> InstructionSpec:
    used = 0xFF
    for field in instruction.fields:
        if field.bits == 0 or used & field.mask:
            raise ValueError(f"isa.yaml: {instruction.name}.{field.name} has no width or overlaps another field")
        used |= field.mask
    return instruction


def _load_isa() -> Isa:
    raw = _read("isa.yaml")
    instructions = {
        name: _disjoint_fields(InstructionSpec(name=name, **entry)) for name, entry in raw["instructions"].items()
    }
    faults = {name: Fault(name=name, **entry) for name, entry in raw["faults"].items()}
    return Isa(
        width=raw["width"],
        units=raw["units"],
        instructions=instructions,
        constant=tuple(Field(**entry) for entry in raw["constant"]["fields"]),
        constant_width=raw["constant"]["width"],
        faults=faults,
    )


def _load_registers() -> RegisterMap:
    raw = _read("registers.yaml")
    base = raw["counters"]["base"]
    counters = tuple(
        Counter(offset=base + 4 * index, **entry) for index, entry in enumerate(raw["counters"]["list"])
    )
    registers = {name: Register(name=name, **entry) for name, entry in raw["registers"].items()}
    return RegisterMap(
        address_bits=raw["address_bits"], magic=raw["magic"], registers=registers, counters=counters
    )


ISA = _load_isa()
REGISTER_MAP = _load_registers()
REGISTERS = REGISTER_MAP.registers
COUNTERS = REGISTER_MAP.counters
CONFIG_NAMES = tuple(_configurations())


def load_config(name: str) -> Config:
    """The named configuration; ValueError lists the names that exist."""
    try:
        return _configurations()[name]
    except KeyError:
        raise ValueError(f"unknown configuration '{name}': choose one of {', '.join(CONFIG_NAMES)}") from None
