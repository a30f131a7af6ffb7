# SPDX-License-Identifier: Apache-2.0
"""What is synthesised: a top module, its parameters and the files it needs, and a digest of all three."""

import hashlib
import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ga2.sim.build import core_parameters
from ga2.sim.sources import ROOT, catalogue, closure
from ga2.spec import load_config

WRAPPER = "ga2_ecp5"  # the core between scan chains
CORE = "ga2_top"
CORE_INSTANCE = "u_core"

_COMMENT = re.compile(r"//.*?$|/\*.*?\*/", re.MULTILINE | re.DOTALL)
_INSTANCE = re.compile(r"^\s*(ga2_\w+)\s+(?:#\(.*?\)\s*)?(u_\w+)\s*\(", re.MULTILINE | re.DOTALL)


def _code(path: Path) -> str:
    return _COMMENT.sub("", path.read_text())


@dataclass(frozen=True)
class Design:
    """A top module with its parameters; `part` is the instance below it that figures count ("": all of it)."""

    top: str
    parameters: tuple[tuple[str, int], ...] = ()
    part: str = ""

    @cached_property
    def sources(self) -> tuple[Path, ...]:
        """The files that the top module needs, in the order of compilation; ValueError if there is none."""
        files = closure([self.top], catalogue())
        if not files:
            raise ValueError(f"no source file for the module '{self.top}'")
        return tuple(files)

    @cached_property
    def digest(self) -> str:
        """Changes whenever the circuit may: code without comments and white space, and the parameters."""
        digest = hashlib.sha256(repr((self.top, self.parameters)).encode())
        for path in self.sources:
            digest.update("".join(_code(path).split()).encode())
        return digest.hexdigest()[:16]

    @cached_property
    def _instances(self) -> dict[str, dict[str, str]]:
        return {path.stem: {name: module for module, name in _INSTANCE.findall(_code(path))} for path in self.sources}

    def module_of(self, name: str) -> tuple[str, str]:
        """(path of the instance, module) that holds a hierarchical name, as in "u_a.gen_b[3].u_c.sum_q"."""
        module, path, depth = self.top, [], 0
        for index, part in enumerate(name.split(".")):
            inner = self._instances.get(module, {}).get(part)
            if inner is not None:
                module, depth = inner, index + 1
            path.append(part)
        return ".".join(path[:depth]), module

    @property
    def read(self) -> str:
        """The Yosys pass that reads the design."""
        sizes = " ".join(f"-G {name}={value}" for name, value in self.parameters)
        files = " ".join(os.path.relpath(path, ROOT) for path in self.sources)
        return f"read_slang -D SYNTHESIS --top {self.top} {sizes} {files}"


def core(config: str) -> Design:
    """The core of a named configuration in its wrapper; ValueError for an unknown name."""
    return Design(WRAPPER, tuple(core_parameters(load_config(config)).items()), CORE_INSTANCE)


def bare_core(config: str) -> Design:
    """The core of a named configuration with its ports as they are."""
    return Design(CORE, tuple(core_parameters(load_config(config)).items()))
