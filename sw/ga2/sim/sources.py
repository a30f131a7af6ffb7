# SPDX-License-Identifier: Apache-2.0
"""The list of SystemVerilog sources. `fusesoc.core` is the one place that holds it; packages come first.

`ga2 generate` rewrites the lists there (`ga2.fusesoc.core_file`), each file after those it names.
"""

import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
CORE_FILE = ROOT / "fusesoc.core"
FOLDERS = {"rtl": "rtl", "synth": "sw/ga2/synth", "tb": "verif/tb"}  # fileset -> folder

_NAME = re.compile(r"\b(?:ga2|tb)_[a-z0-9_]+\b")
_COMMENT = re.compile(r"//.*?$|/\*.*?\*/", re.MULTILINE | re.DOTALL)


def listed(fileset: str) -> list[Path]:
    """The files of one fileset of `fusesoc.core`, in order."""
    core = yaml.safe_load(CORE_FILE.read_text())
    return [ROOT / name for name in core["filesets"][fileset]["files"] or []]


def catalogue() -> list[Path]:
    """Every SystemVerilog source of the core and of its testbenches, each after those it uses."""
    return [path for fileset in FOLDERS for path in listed(fileset)]


def overlaid(files: Iterable[Path]) -> list[Path]:
    """`files`, each replaced by the one of its name in the folder $GA2_OVERLAY if there is one: a seeded fault."""
    folder = os.environ.get("GA2_OVERLAY")
    changed = {path.name: path for path in Path(folder).glob("*.sv")} if folder else {}
    return [changed.get(path.name, path) for path in files]


@cache
def _names(path: Path, _stamp: int) -> frozenset[str]:
    return frozenset(_NAME.findall(_COMMENT.sub("", path.read_text()))) - {path.stem}


def _named(path: Path) -> frozenset[str]:
    """The modules and packages that a file may use: every identifier that looks like one."""
    return _names(path, path.stat().st_mtime_ns)


def closure(tops: Iterable[str], files: Iterable[Path]) -> list[Path]:
    """The subset of `files` that the modules `tops` need, in the order of `files`.

    A module lives in the file of its name. Only these files are compiled, so that a bench neither depends on nor is
    rebuilt for modules that it does not contain.
    """
    ordered = list(files)
    by_name = {path.stem: path for path in ordered}
    needed: set[str] = set()
    todo = [top for top in tops if top in by_name]
    while todo:
        name = todo.pop()
        if name not in needed:
            needed.add(name)
            todo += [other for other in _named(by_name[name]) if other in by_name]
    return [path for path in ordered if path.stem in needed]


def sorted_by_use(files: Iterable[Path]) -> list[Path]:
    """Files in alphabetical order, packages first, each file after those it names."""
    by_name = {path.stem: path for path in sorted(files, key=lambda path: (not path.stem.endswith("_pkg"), path.stem))}
    done: dict[str, Path] = {}

    def visit(name: str, users: tuple[str, ...]) -> None:
        if name in done or name in users:
            return
        for other in sorted(_named(by_name[name])):
            if other in by_name:
                visit(other, (*users, name))
        done[name] = by_name[name]

    for name in by_name:
        visit(name, ())
    return list(done.values())
