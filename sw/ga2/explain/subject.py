# SPDX-License-Identifier: Apache-2.0
"""The program to explain: one that the compiler made, or one from a file of assembly text or of an image."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from capra import CompiledModel
from ga2.device.protocol import FaultReport, Window
from ga2.golden.resolve import Resolved, State, check_start, resolve
from ga2.isa.assembler import assemble_file
from ga2.isa.image import Image
from ga2.spec import Config, load_config
from ga2.waves.texts import texts

OPEN = Window(0, 1 << 31, True)
"""What every window shows when a file does not say."""


class ExplainError(ValueError):
    """A program that cannot be explained as asked; one line says why."""


@dataclass(frozen=True)
class Place:
    """A buffer in the scratchpad: words [lo, hi) at the LEN and M asked for."""

    name: str
    lo: int
    hi: int


@dataclass(frozen=True)
class Subject:
    """A program of an image with its windows. texts: what an instruction computes, by pc. places: its buffers."""

    name: str
    config: Config
    image: Image
    entry: int
    windows: Sequence[Window]
    texts: Mapping[int, str] = field(default_factory=dict)
    places: Sequence[Place] = ()

    def resolved(self, length: int, m: int) -> list[Resolved]:
        """Its instructions up to HALT; ExplainError names the precise fault that ends it before."""
        fault = check_start(self.config, State(length, m), self.entry)
        found: list[Resolved] = []
        for pc, word in enumerate(self.image.instructions[self.entry :], self.entry):
            if fault is not None:
                break
            resolved = resolve(word, pc, self.config, State(length, m, self.windows))
            if isinstance(resolved, FaultReport):
                fault = resolved
                break
            found.append(resolved)
            if resolved.halt:
                return found
        what = f"no HALT before the image's end, pc {len(self.image.instructions)}"
        if fault is not None:
            what = f"fault {fault.name} at pc {fault.pc}, address or size {fault.address:#x}"
            if fault.name == "len_m":
                what = f"fault len_m: M is at most {self.config.m_max}, LEN + M at most {self.config.max_len}"
        raise ExplainError(f"{self.name} with LEN {length} and M {m}: {what}")


def compiled(model: CompiledModel, name: str, length: int, m: int) -> Subject:
    """A program of a compiled model; ExplainError lists the names if there is no such one."""
    if name not in model.programs:
        raise ExplainError(f"no program '{name}': there are {', '.join(model.programs)}; or name a file")
    program = model.programs[name]
    places = [
        Place(buffer.name, program.addresses[each], program.addresses[each] + buffer.rows.at(length, m) * buffer.pitch)
        for each, buffer in program.buffers.items()
    ]
    ordered = sorted(places, key=lambda place: (place.lo, place.name))
    return Subject(name, model.config, model.image, program.entry, model.windows, texts(model), ordered)


def from_file(path: Path, entry: str | None) -> Subject:
    """A program of a file: an image, or assembly text; every window shows everything.

    AsmError and ImageError say what is wrong with the file; ExplainError which entries there are.
    """
    image = Image.load(path) if path.read_bytes()[:4] == b"GA2I" else assemble_file(path)
    names = list(image.entries)
    if entry is None and len(names) > 1:
        raise ExplainError(f"{path}: has the entries {', '.join(names)}; choose one with --entry")
    if entry is not None and entry not in names:
        raise ExplainError(f"{path}: no entry '{entry}': there are {', '.join(names) or 'none'}")
    name = entry or (names[0] if names else "")
    at = image.entries[name] if name else 0
    return Subject(name or path.name, load_config(image.config), image, at, (OPEN,) * 4, image.notes)
