# SPDX-License-Identifier: Apache-2.0
"""A program run that can be repeated: what a bench hands to the locator, and what it keeps on disk.

    build/locate/<name>/program.json    configuration, LEN, M, windows, entry, the memory's manner
                        image.bin    instructions, constants and notes
                        memory.npz   external memory before the program, by address
"""

import json
import re
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ga2.device.protocol import Window
from ga2.golden.interpreter import Core, Outcome
from ga2.golden.memory import Memory
from ga2.isa.image import Image
from ga2.sim.build import build_root
from ga2.spec import Config, load_config
from verif.core.stall_profile import Gate, Profile
from verif.programs.case import CUT, End
from verif.programs.program import ENTRY, IMAGE_ADDRESS, MEMORY_BYTES, Program

REGISTER = 0xFFFF_FFFF
MOST_BYTES = 1 << 28  # of external memory: a simulation holds all of it

_DAMAGED = (OSError, EOFError, KeyError, TypeError, ValueError, RecursionError, BadZipFile, zlib.error)
"""What reading a file raises that is not what `save` wrote."""


@dataclass(frozen=True)
class FailedProgram:
    """One program on one configuration.

    program: its `memory` holds all external memory that matters before it runs. entry: a name of the image's, or a pc.
    profile: how the hostile memory waits; None is the reference memory. image_address, memory_bytes: where the image
    lies, and the size of external memory. watchdog: cycles without progress after which the program counts as hanging.
    end: what the host does meanwhile. rule: what an assertion said that ended the simulation.
    """

    config: Config
    program: Program
    entry: str | int = ENTRY
    profile: Profile | None = None
    image_address: int = IMAGE_ADDRESS
    memory_bytes: int = MEMORY_BYTES
    watchdog: int = 2000
    end: End = End()
    rule: str = ""

    @property
    def pc(self) -> int:
        """Where the program starts."""
        return self.entry if isinstance(self.entry, int) else self.program.image.entries[self.entry]

    @property
    def title(self) -> str:
        """For the first line of a report."""
        program = self.program
        pauses = f", memory '{self.profile.name}'" if self.profile else ""
        end = f", {self.end.kind} {self.end.cycles}" if self.end.kind in CUT else ""
        where = "" if program.name.startswith(f"{self.config.name} ") else f" on {self.config.name}"
        return f"{program.name}{where}, LEN {program.length}, M {program.m}{pauses}{end}"

    @property
    def folder(self) -> Path:
        """Where it is kept."""
        name = re.sub(r"[^\w.-]+", "-", f"{self.config.name}-{self.program.name}").strip("-.")
        return build_root() / "locate" / name[:80]

    def _check(self) -> None:
        """ValueError for a number that is none or cannot be."""
        program, image = self.program, self.program.image
        if isinstance(self.entry, str) and self.entry not in image.entries:
            raise ValueError(f"entry '{self.entry}' is not in the image: it has {', '.join(image.entries) or 'none'}")
        numbers = {
            "entry": (self.pc, len(image.instructions) - 1),
            "length": (program.length, REGISTER),
            "m": (program.m, REGISTER),
            "memory_bytes": (self.memory_bytes, MOST_BYTES),
            "image_address": (self.image_address, MOST_BYTES),
            "watchdog": (self.watchdog, REGISTER),
            **{f"windows.{n}.base": (each.base, REGISTER) for n, each in enumerate(program.windows)},
            **{f"windows.{n}.size": (each.size, REGISTER) for n, each in enumerate(program.windows)},
        }
        for name, (value, most) in numbers.items():
            if not isinstance(value, int) or not 0 <= value <= most:
                raise ValueError(f"{name} must be a number from 0 to {most}, not {value!r}")
        pieces = [*program.memory.items(), (self.image_address, image.memory_bytes())]
        if any(at + len(data) > self.memory_bytes for at, data in pieces):
            raise ValueError(f"memory_bytes: {self.memory_bytes} are too few for what lies there")

    def meaning(self) -> Outcome:
        """The golden model's run, on a core of its own, with every instruction's write set.

        The scratchpad starts as zeros: a program must not read what it has not written.
        """
        memory, core, image = Memory(self.memory_bytes), Core(self.config), self.program.image
        for address, data in self.program.memory.items():
            memory.write(address, data)
        memory.write(self.image_address, image.memory_bytes())
        core.load_image(memory, self.image_address, len(image.instructions), len(image.constants))
        program = self.program
        return core.run(memory, program.windows, self.pc, program.length, program.m, record_writes=True)

    def save(self, folder: Path) -> None:
        """Write it into a folder, which is made if needed."""
        folder.mkdir(parents=True, exist_ok=True)
        program = self.program
        program.image.save(folder / "image.bin")
        memory: dict[str, Any] = {
            f"{at:x}": np.frombuffer(bytes(data), np.uint8) for at, data in program.memory.items()
        }
        np.savez_compressed(folder / "memory.npz", **memory)
        facts = {
            "config": self.config.name,
            "name": program.name,
            "seed": program.seed,
            "length": program.length,
            "m": program.m,
            "windows": [asdict(window) for window in program.windows],
            "entry": self.entry,
            "profile": asdict(self.profile) if self.profile else None,
            "image_address": self.image_address,
            "memory_bytes": self.memory_bytes,
            "watchdog": self.watchdog,
            "end": self.end.model_dump(),
            "rule": self.rule,
        }
        (folder / "program.json").write_text(json.dumps(facts, indent=1) + "\n")

    @classmethod
    def load(cls, folder: Path) -> "FailedProgram":
        """Read it back; ValueError, in one line, for a folder that holds none."""
        try:
            facts = json.loads((folder / "program.json").read_text())
            with np.load(folder / "memory.npz") as arrays:
                memory = {int(name, 16): arrays[name].tobytes() for name in arrays.files}
            program = Program(
                facts["seed"],
                Image.load(folder / "image.bin"),
                memory,
                tuple(Window(**window) for window in facts["windows"]),
                facts["length"],
                facts["m"],
                facts["name"],
            )
            profile = facts["profile"]
            if profile:
                profile = Profile(**profile | {"gates": tuple(Gate(**gate) for gate in profile["gates"])})
            rest = {name: facts[name] for name in ("entry", "image_address", "memory_bytes", "watchdog", "rule")}
            rest["end"] = End.model_validate(facts["end"])
            failed = cls(load_config(facts["config"]), program, profile=profile, **rest)
            failed._check()
            return failed
        except _DAMAGED as error:
            raise ValueError(f"{folder} holds no failed program: {error}") from None
