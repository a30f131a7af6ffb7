# SPDX-License-Identifier: Apache-2.0
"""Dispatch in the abstract: an instruction word, LEN, M and the windows become a resolved operation or a fault.

The checks and their order are those of `docs/developer/microarchitecture.md`, section "Resolved operations and
faults"; the first that fails is the fault. `ga2.golden.hazards` says which resolved operations depend on which.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ga2.device.protocol import WINDOWS, FaultReport, Window
from ga2.golden.operations import Op, build_op
from ga2.golden.shapes import Dims, read_only_shapes, row_words
from ga2.isa.encoding import DecodeError, Dim, Ext, Instruction, Operand, decode
from ga2.isa.operands import present_operands
from ga2.spec import Config

DIM_MAX = 4095
GATHER_PITCH_MAX = 4096
ADDRESS_MASK = 0xFFFF_FFFF
CONTROL = "control"


@dataclass(frozen=True)
class State:
    """What the host sets before START: cache rows LEN, block rows M, and the external windows."""

    length: int
    m: int
    windows: Sequence[Window] = ()

    def window(self, index: int) -> Window:
        """Window `index`; those never set are empty."""
        return self.windows[index] if index < min(len(self.windows), WINDOWS) else Window(0, 0)

    def affine(self, value: Dim | Operand | Ext) -> int:
        """a*LEN + b*M of a dimension or an operand."""
        return value.a * self.length + value.b * self.m


@dataclass(frozen=True)
class Access:
    """One scratchpad operand in words: `rows` rows of `words` from `start`, all within [lo, hi); `banks` is a mask."""

    name: str
    write: bool
    start: int
    pitch: int
    rows: int
    words: int
    lo: int
    hi: int
    banks: int


@dataclass(frozen=True)
class ExtAccess:
    """The external operand: absolute bytes [lo, hi)."""

    write: bool
    lo: int
    hi: int


@dataclass(frozen=True)
class Resolved:
    """An instruction that dispatch lets pass. `op` is None for HALT and for a no-op (zero rows or words)."""

    pc: int
    instruction: Instruction
    dims: Dims
    operands: tuple[Access, ...] = ()
    ext: ExtAccess | None = None
    op: Op | None = None
    reads: tuple[Access, ...] = field(init=False, repr=False)
    writes: tuple[Access, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reads", tuple(access for access in self.operands if not access.write))
        object.__setattr__(self, "writes", tuple(access for access in self.operands if access.write))

    @property
    def unit(self) -> str:
        """The unit's name in spec/isa.yaml."""
        return self.instruction.spec.unit

    @property
    def halt(self) -> bool:
        """Whether the program ends here."""
        return self.unit == CONTROL

    @property
    def no_op(self) -> bool:
        """Zero rows or words: it only retires."""
        return self.op is None and not self.halt

    @property
    def operand_count(self) -> int:
        """Operands that dispatch resolves, one a cycle, the external one included; 0 for a no-op or HALT."""
        return len(self.operands) + (self.ext is not None)

    def operand(self, name: str) -> Access | None:
        """The operand called `name`, if this instruction uses it."""
        return next((access for access in self.operands if access.name == name), None)


class _Stop(Exception):
    """The first check that fails: fault name and FAULT_ADDR."""

    def __init__(self, name: str, address: int) -> None:
        super().__init__(name, address)
        self.name = name
        self.address = address


def check_start(config: Config, state: State, entry: int) -> FaultReport | None:
    """The fault found before the first instruction, if any: LEN + M beyond MAX_LEN, or M beyond M_MAX."""
    rows = state.length + state.m
    if rows > config.max_len or state.m > config.m_max:
        return FaultReport("len_m", entry, rows & ADDRESS_MASK)
    return None


def resolve(word: int, pc: int, config: Config, state: State) -> Resolved | FaultReport:
    """Resolve the instruction `word` at `pc`, or say which precise fault it is."""
    try:
        return _resolve(word, pc, config, state)
    except _Stop as stop:
        return FaultReport(stop.name, pc, stop.address & ADDRESS_MASK)


def _resolve(word: int, pc: int, config: Config, state: State) -> Resolved:
    if pc >= config.imem_depth:
        raise _Stop("pc", pc)
    try:
        instruction = decode(word)
    except DecodeError:
        raise _Stop("illegal", word & 0xFF) from None
    dims = _resolve_dims(instruction, state)
    if instruction.spec.unit == CONTROL or 0 in tuple(dims.values())[:2]:
        return Resolved(pc, instruction, dims)
    _check_dims(instruction, dims, config)
    _check_constants(instruction, dims, config)
    operands = _resolve_operands(instruction, dims, config, state)
    ext = _resolve_ext(instruction, dims, config, state)
    _check_banks(instruction, operands)
    _check_overlap(instruction, operands)
    op = build_op(instruction, dims, {access.name: access.start for access in operands}, ext.lo if ext else 0, config)
    return Resolved(pc, instruction, dims, operands, ext, op)


def _resolve_dims(instruction: Instruction, state: State) -> Dims:
    dims = {}
    for name, value in instruction.fields.items():
        if isinstance(value, Dim):
            dims[name] = value.imm + state.affine(value)
            if dims[name] > DIM_MAX:
                raise _Stop("dimension", dims[name])
    return dims


def _check_dims(instruction: Instruction, dims: Dims, config: Config) -> None:
    fields = instruction.fields
    if dims.get("k") == 0 or dims.get("len") == 0:
        raise _Stop("dimension", 0)
    rows = next(iter(dims.values()))
    if instruction.op == "SM":
        longest = dims["len"] + (rows - 1) * fields["step"]
        if longest > dims["n"]:
            raise _Stop("dimension", longest)
    for entry in present_operands(instruction):
        pitch = fields[entry.name].pitch
        if entry.access == "write" and rows > 1 and pitch < row_words(instruction, entry.name, dims, config.cols):
            raise _Stop("dimension", pitch)


def _check_constants(instruction: Instruction, dims: Dims, config: Config) -> None:
    if instruction.op == "MM":
        first = instruction.fields["const"]
        if first + (1 if instruction.fields["uniform"] else dims["n"]) > config.cmem_depth:
            raise _Stop("constant", first)


def _bank_mask(lo: int, hi: int, config: Config) -> int:
    first, last = lo // config.bank_words, (hi - 1) // config.bank_words
    return (2 << last) - (1 << first)


def _resolve_operands(instruction: Instruction, dims: Dims, config: Config, state: State) -> tuple[Access, ...]:
    operands = []
    shapes = read_only_shapes(instruction, dims, config.cols)
    rows_of_all = next(iter(dims.values()))
    for entry in present_operands(instruction):
        field_value = instruction.fields[entry.name]
        pitch = field_value.pitch
        rows, words = shapes.get(entry.name) or (
            rows_of_all,
            row_words(instruction, entry.name, dims, config.cols),
        )
        lo = field_value.base + state.affine(field_value) * pitch
        hi = lo + (rows - 1) * pitch + words
        if hi > config.spad_words:
            raise _Stop("scratchpad", lo)
        write = entry.access == "write"
        operands.append(Access(entry.name, write, lo, pitch, rows, words, lo, hi, _bank_mask(lo, hi, config)))
    return tuple(operands)


def _resolve_ext(instruction: Instruction, dims: Dims, config: Config, state: State) -> ExtAccess | None:
    ext = instruction.fields.get("ext")
    if not isinstance(ext, Ext):
        return None
    gather = instruction.op == "LDG"
    rows, words = (instruction.fields["limit"] if gather else dims["rows"]), dims["words"]
    window = state.window(ext.win)
    start = ext.offset + state.affine(ext) * ext.pitch
    lo = start * config.cols
    hi = (start + (rows - 1) * ext.pitch + words) * config.cols if rows else lo
    misaligned = window.base % config.cols != 0
    if gather:
        pitch = ext.pitch * config.cols
        power = pitch and pitch & (pitch - 1) == 0
        misaligned |= not power or pitch > GATHER_PITCH_MAX or ext.pitch < words or (window.base + lo) % pitch != 0
    if misaligned:
        raise _Stop("alignment", lo)
    if hi > window.size:
        raise _Stop("window", lo)
    write = instruction.op == "ST"
    if write and not window.writable:
        raise _Stop("read_only", lo)
    return ExtAccess(write, window.base + lo, window.base + hi)


def _check_banks(instruction: Instruction, operands: tuple[Access, ...]) -> None:
    """A product or vector operation reads all its sources in one cycle: they need ports of different banks."""
    if instruction.op not in ("MM", "VEC"):
        return
    claimed = 0
    for access in operands:
        if not access.write:
            if claimed & access.banks:
                raise _Stop("bank", access.start)
            claimed |= access.banks


def _in_place(instruction: Instruction, name: str) -> bool:
    """Whether a source may be the destination itself: the unit reads an element before it writes that one."""
    if instruction.op == "MM":
        return name == "aux" and bool(instruction.fields["residual"])
    return instruction.op == "VEC" or (instruction.op == "SM" and name == "src")


def overlaps(one: Access | ExtAccess, other: Access | ExtAccess) -> bool:
    """Whether two intervals share a word (or byte)."""
    return one.lo < other.hi and other.lo < one.hi


def _check_overlap(instruction: Instruction, operands: tuple[Access, ...]) -> None:
    """A destination may lie on a source only exactly and in place; a second destination on nothing."""
    for index, access in enumerate(operands):
        for earlier in operands[:index]:
            if not (access.write or earlier.write) or not overlaps(access, earlier):
                continue
            same = access.start == earlier.start and access.pitch == earlier.pitch
            if not (same and not access.write and _in_place(instruction, access.name)):
                raise _Stop("overlap", operands[0].start)
