# SPDX-License-Identifier: Apache-2.0
"""Every precise fault on every opcode, operand and field where it can occur: how to spoil a legal instruction.

A spoiler gets the generator and a legal, working instruction of its opcode. It answers with the spoilt instruction, or
its word where the encoder would refuse, or None where this instruction has not got what it spoils. It says nothing
about the outcome: `precise_programs` keeps what dispatch (`ga2.golden.resolve`) refuses with the target's fault.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ga2.device.protocol import Window
from ga2.golden.resolve import DIM_MAX, GATHER_PITCH_MAX, Resolved, State, resolve
from ga2.isa.encoding import LEGAL_BITS, Dim, Instruction, encode
from ga2.spec import ISA, Config
from verif.programs.layout import TABLE_ADDRESS, TABLE_BYTES


class Generator(Protocol):
    """What a spoiler needs of whoever draws the program."""

    config: Config
    rng: random.Random
    state: State
    windows: tuple[Window, ...]

    def set_window(self, index: int, window: Window) -> None:
        """Set one window of the program."""


Spoiler = Callable[[Generator, Instruction], Instruction | int | None]
SPARE_WINDOW = 3  # random programs leave it empty
OPERATIONS = ("LD", "LDG", "ST", "MM", "SM", "VEC", "AMAX")


@dataclass(frozen=True)
class Target:
    """The fault to provoke, the opcode, and the operand or field."""

    fault: str
    op: str
    where: str
    spoil: Spoiler

    @property
    def name(self) -> str:
        """For tables and messages."""
        return f"{self.fault} {self.op} {self.where}".strip()


def _with(instruction: Instruction, **fields: Any) -> Instruction:
    return Instruction(instruction.op, {**instruction.fields, **fields})


def _resolved(generator: Generator, instruction: Instruction) -> Resolved:
    resolved = resolve(encode(instruction), 0, generator.config, generator.state)
    assert isinstance(resolved, Resolved)
    return resolved


def _beyond_scratchpad(name: str) -> Spoiler:
    """The operand ends one word too far, or far away, or beyond 16 bits through LEN and M."""

    def spoil(generator: Generator, instruction: Instruction) -> Instruction | None:
        access = _resolved(generator, instruction).operand(name)
        if access is None:
            return None
        rng, operand = generator.rng, instruction.fields[name]
        if rng.random() < 0.2:
            return _with(instruction, **{name: replace(operand, pitch=4095, a=3, b=3)})
        first_bad = generator.config.spad_words - (access.hi - access.lo) + 1
        start = min(0xFFFF, first_bad + rng.choice([0, 0, 1, rng.randrange(5000), 0xFFFF]))
        return _with(instruction, **{name: replace(operand, base=start, a=0, b=0)}) if start >= 0 else None

    return spoil


def _big_dimension(name: str) -> Spoiler:
    def spoil(generator: Generator, instruction: Instruction) -> Instruction:
        rng = generator.rng
        return _with(instruction, **{name: Dim(DIM_MAX - rng.choice([0, 1, 50]), rng.randrange(4), rng.randrange(4))})

    return spoil


def _narrow_pitch(name: str) -> Spoiler:
    """Rows of a destination overlap."""

    def spoil(generator: Generator, instruction: Instruction) -> Instruction | None:
        access = _resolved(generator, instruction).operand(name)
        if access is None or access.rows < 2:
            return None
        operand = instruction.fields[name]
        return _with(instruction, **{name: replace(operand, pitch=generator.rng.randrange(access.words))})

    return spoil


def _zero_inner(name: str) -> Spoiler:
    return lambda _generator, instruction: _with(instruction, **{name: Dim(0)})


def _long_softmax(generator: Generator, instruction: Instruction) -> Instruction:
    n = _resolved(generator, instruction).dims["n"]
    return _with(instruction, len=Dim(n + generator.rng.choice([0, 1, 9])), step=generator.rng.choice([1, 255]))


def _far_constant(uniform: int) -> Spoiler:
    def spoil(generator: Generator, instruction: Instruction) -> Instruction:
        columns = 1 if uniform else _resolved(generator, instruction).dims["n"]
        first_bad = generator.config.cmem_depth - columns + 1
        return _with(instruction, uniform=uniform, const=generator.rng.choice([first_bad, first_bad, 0xFFFF]))

    return spoil


def _beyond_window(generator: Generator, instruction: Instruction) -> Instruction:
    """One byte too small a window, an offset just or far beyond, or an empty window."""
    ext, access, rng = instruction.fields["ext"], _resolved(generator, instruction).ext, generator.rng
    assert access is not None
    window = generator.windows[ext.win]
    if rng.random() < 0.3:
        shrunk = Window(window.base, access.hi - window.base - 1, window.writable)
        generator.set_window(SPARE_WINDOW, shrunk)
        return _with(instruction, ext=replace(ext, win=SPARE_WINDOW))
    if rng.random() < 0.2:
        generator.set_window(SPARE_WINDOW, Window(window.base, 0, True))
        return _with(instruction, ext=replace(ext, win=SPARE_WINDOW))
    room = (window.base + window.size - access.hi) // generator.config.cols
    grain = ext.pitch if instruction.op == "LDG" else 1
    offset = ext.offset + (room // grain + rng.choice([1, 1, 2, 1000])) * grain
    far = 0xFFFF_FFFF // grain * grain
    return _with(instruction, ext=replace(ext, offset=far if rng.random() < 0.2 else offset))


def _protected_window(generator: Generator, instruction: Instruction) -> Instruction:
    return _with(instruction, ext=replace(instruction.fields["ext"], win=generator.rng.choice([0, 2])))


def _crooked_base(generator: Generator, instruction: Instruction) -> Instruction:
    off = generator.rng.randrange(1, generator.config.cols)
    generator.set_window(SPARE_WINDOW, Window(TABLE_ADDRESS + off, TABLE_BYTES - off, True))
    return _with(instruction, ext=replace(instruction.fields["ext"], win=SPARE_WINDOW))


def _gather_pitch(generator: Generator, instruction: Instruction) -> Instruction:
    """No power of two, zero, narrower than the row, or more than 4096 bytes."""
    words = _resolved(generator, instruction).dims["words"]
    widest = GATHER_PITCH_MAX // generator.config.cols
    pitches = [0, 3, 5, 6, 7, words - 1, 2 * widest, 0xFFFF]
    ext = replace(instruction.fields["ext"], offset=0, pitch=generator.rng.choice(pitches), a=0, b=0)
    return _with(instruction, ext=ext)


def _gather_start(generator: Generator, instruction: Instruction) -> Instruction | None:
    ext = instruction.fields["ext"]
    if ext.pitch < 2:
        return None
    return _with(instruction, ext=replace(ext, offset=ext.offset + generator.rng.randrange(1, ext.pitch)))


def _same_bank(earlier: str, later: str) -> Spoiler:
    def spoil(generator: Generator, instruction: Instruction) -> Instruction | None:
        first, second = (_resolved(generator, instruction).operand(name) for name in (earlier, later))
        if first is None or second is None:
            return None
        start = generator.rng.randrange(first.lo, first.hi)
        return _with(instruction, **{later: replace(instruction.fields[later], base=start, a=0, b=0)})

    return spoil


def _collide(moved: str, onto: str) -> Spoiler:
    """Move one operand so that it touches another somewhere."""

    def spoil(generator: Generator, instruction: Instruction) -> Instruction | None:
        access, fixed = (_resolved(generator, instruction).operand(name) for name in (moved, onto))
        if access is None or fixed is None:
            return None
        start = generator.rng.randint(max(0, fixed.lo - (access.hi - access.lo) + 1), fixed.hi - 1)
        return _with(instruction, **{moved: replace(instruction.fields[moved], base=start, a=0, b=0)})

    return spoil


def _reserved_bit(generator: Generator, instruction: Instruction) -> int:
    opcode = instruction.spec.opcode
    free = [bit for bit in range(ISA.width) if not LEGAL_BITS[opcode] >> bit & 1]
    return encode(instruction) | 1 << generator.rng.choice(free)


def _unknown_opcode(generator: Generator, instruction: Instruction) -> int:
    unknown = [code for code in range(256) if code not in ISA.by_opcode]
    return encode(instruction) & ~0xFF | generator.rng.choice(unknown)


def _set_flags(*names: str) -> Spoiler:
    fields = {entry.name: entry for entry in ISA.instructions["MM"].fields}
    return lambda _generator, instruction: encode(instruction) | sum(fields[name].mask for name in names)


def _targets() -> list[Target]:
    found = [Target("illegal", op, "reserved bit", _reserved_bit) for op in (*OPERATIONS, "HALT")]
    found += [Target("illegal", op, "unknown opcode", _unknown_opcode) for op in OPERATIONS]
    found.append(Target("illegal", "MM", "right_mode 3", _set_flags("right_mode")))
    found.append(Target("illegal", "MM", "residual and rowmul", _set_flags("residual", "rowmul")))
    for op in OPERATIONS:
        for entry in ISA.instructions[op].fields:
            if entry.kind == "dim":
                found.append(Target("dimension", op, entry.name, _big_dimension(entry.name)))
            if entry.kind == "operand":
                found.append(Target("scratchpad", op, entry.name, _beyond_scratchpad(entry.name)))
                if entry.access == "write":
                    found.append(Target("dimension", op, f"{entry.name} pitch", _narrow_pitch(entry.name)))
    found.append(Target("dimension", "MM", "k = 0", _zero_inner("k")))
    found.append(Target("dimension", "SM", "len = 0", _zero_inner("len")))
    found.append(Target("dimension", "SM", "len above n", _long_softmax))
    found += [Target("constant", "MM", f"uniform {flag}", _far_constant(flag)) for flag in (0, 1)]
    found += [Target("window", op, "ext", _beyond_window) for op in ("LD", "LDG", "ST")]
    found.append(Target("read_only", "ST", "ext", _protected_window))
    found += [Target("alignment", op, "window base", _crooked_base) for op in ("LD", "LDG", "ST")]
    found.append(Target("alignment", "LDG", "pitch", _gather_pitch))
    found.append(Target("alignment", "LDG", "start", _gather_start))
    pairs = [("MM", "left", "right"), ("MM", "left", "aux"), ("MM", "right", "aux"), ("VEC", "a", "b")]
    found += [Target("bank", op, f"{one} {two}", _same_bank(one, two)) for op, one, two in pairs]
    collisions = {
        "LDG": [("ids", "dst")],
        "MM": [("left", "out"), ("right", "out"), ("aux", "out")],
        "SM": [("src", "dst"), ("rmul", "dst"), ("rmul", "src")],
        "VEC": [("a", "out"), ("b", "out")],
        "AMAX": [("src", "out")],
    }
    for op, moves in collisions.items():
        found += [Target("overlap", op, f"{moved} {onto}", _collide(moved, onto)) for moved, onto in moves]
    return found


TARGETS = tuple(_targets())

