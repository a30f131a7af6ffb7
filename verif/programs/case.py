# SPDX-License-Identifier: Apache-2.0
"""A generated program in full, as readable JSON: what it was drawn from, and everything that it needs to run.

    seed -> Case -> JSON -> Case -> assembly -> Program
"""

import json
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ga2.device.protocol import WINDOWS, Window
from ga2.isa.assembler import AsmError, assemble
from ga2.isa.image import Image, write_whole
from ga2.spec import CONFIG_NAMES, load_config
from verif.programs.generator_settings import Ending
from verif.programs.program import ENTRY, MEMORY_BYTES, Program
from verif.programs.regions import Region

CUT = ("abort", "watchdog", "reset")
"""Endings that the host brings."""
COMPLAINTS = 3  # about one file, at most
LATEST = 1_000_000  # cycles: no generated program takes as long
Register = Annotated[int, Field(ge=0, le=0xFFFF_FFFF)]


class CaseError(ValueError):
    """A file that is no case; one line says where and what would be right."""


class Strict(BaseModel):
    """Nothing unknown, nothing changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class WindowOf(Strict):
    """An external window: byte address, bytes, and whether stores may go there."""

    base: Register
    size: Register
    writable: bool = False


class End(Strict):
    """How the program ends. `cycles` is when an abort or reset comes, or the watchdog's period."""

    kind: Ending = "halt"
    cycles: int = Field(default=0, ge=0, le=LATEST)
    about: str = ""


class Case(Strict):
    """One program. `program` are lines of assembly, `constants` those of its constant memory; `entry` is a pc."""

    name: str
    about: str = ""
    settings: str = ""
    seed: int = Field(ge=0)
    config: str
    length: Register
    m: Register
    end: End = End()
    windows: tuple[WindowOf, ...] = Field(max_length=WINDOWS)
    memory: tuple[Region, ...]
    entry: int = Field(default=0, ge=0)
    program: tuple[str, ...] = Field(min_length=1)
    constants: tuple[str, ...] = ()

    def assembly(self) -> str:
        """The program as `ga2 asm` reads it."""
        lines = [*self.program[: self.entry], f".entry {ENTRY}", *self.program[self.entry :]]
        return "\n".join([f".config {self.config}", *self.constants, *lines]) + "\n"

    def image(self) -> Image:
        """The assembled program; AsmError for a line that is none."""
        return assemble(self.assembly(), self.name)

    def to_program(self) -> Program:
        """What the benches run. CaseError for wrong assembly, or for memory that is not there."""
        cols = load_config(self.config).cols
        for region in self.memory:
            if region.address + region.size > MEMORY_BYTES:
                raise CaseError(f"{self.name}: memory at {region.address:#x}: ends beyond the {MEMORY_BYTES:#x} bytes")
        try:
            image = self.image()
        except AsmError as error:
            raise CaseError(str(error)) from None
        windows = tuple(Window(each.base, each.size, each.writable) for each in self.windows)
        memory = {region.address: region.contents(cols) for region in self.memory}
        return Program(self.seed, image, memory, windows, self.length, self.m, self.name)

    def to_json(self) -> str:
        """Readable JSON: an instruction, a constant, a window, a region a line."""
        values = self.model_dump(mode="json")
        lines = []
        for key, value in values.items():
            if isinstance(value, list) and value:
                inner = ",\n".join(f"    {json.dumps(one)}" for one in value)
                lines.append(f"  {json.dumps(key)}: [\n{inner}\n  ]")
            else:
                lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def save(self, path: Path) -> None:
        """Write the file whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, self.to_json().encode())


def read_case(text: str, where: str) -> Case:
    """A case from JSON; CaseError begins with `where`."""
    try:
        case = Case.model_validate_json(text)
    except ValidationError as error:
        found = [(".".join(map(str, one["loc"])), one["msg"]) for one in error.errors()[:COMPLAINTS]]
        texts = "; ".join(f"{key + ': ' if key else ''}{message}" for key, message in found)
        raise CaseError(f"{where}: {texts}") from None
    if case.config not in CONFIG_NAMES:
        raise CaseError(f"{where}: config: unknown '{case.config}': choose one of {', '.join(CONFIG_NAMES)}")
    if case.entry >= len(case.program):
        raise CaseError(f"{where}: entry: {case.entry} is beyond the {len(case.program)} lines of the program")
    try:
        case.to_program()
    except CaseError as error:
        raise CaseError(f"{where}: {error}") from None
    return case


def load_case(path: Path) -> Case:
    """A case from its file; CaseError names the file."""
    try:
        return read_case(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise CaseError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CaseError(f"{path}: not UTF-8 text: a case is a JSON file, as `ga2 random` writes it") from None
