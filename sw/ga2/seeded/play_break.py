# SPDX-License-Identifier: Apache-2.0
"""Play one deliberate break in a copy, and say which checkers saw it.

SystemVerilog goes through the overlay of `ga2.sim.sources`; Python lies in a folder that comes first in the path of the
simulation. Builds go to a folder that is removed afterwards. Nothing in the working tree changes.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ga2.decoding.backends import MEMORY_BYTES as DECODING_BYTES
from ga2.seeded.breaks import Break
from ga2.sim.build import Build, build_axi, build_core, build_hostile
from ga2.sim.campaign import MEMORY_BYTES
from ga2.sim.errors import BuildError, SimulationError
from ga2.sim.fatal import fatal_in
from ga2.sim.follow_up import SWITCH
from ga2.sim.run import run
from ga2.sim.sources import ROOT

RULES = {  # how a message that ends the simulation begins, and who wrote it
    "AXI:": "axi_rules",
    "ga2_refmem:": "reference_memory",
    "": "assertions",
}
TESTS = {"a_later_token_changes_no_earlier_row": "causality"}


@dataclass(frozen=True)
class _Played:
    """What a break's test runs, whatever is broken."""

    bench: str
    test: str
    memory: str
    config: str
    seed: int
    programs: int

    @classmethod
    def of(cls, broken: Break) -> "_Played":
        return cls(**{name: getattr(broken, name) for name in cls.__annotations__})


@dataclass(frozen=True)
class Seen:
    """Which checkers saw a break, with the first complaint of each; the locator's report; or why that says nothing."""

    name: str
    checkers: Mapping[str, str]
    report: str = ""
    problem: str = ""


def play_break(broken: Break, sim: str) -> Seen:
    """Play it in one simulator. Raises ToolMissing; ValueError if its text is not where it should be."""
    # Not below the repository: there pytest's settings, which cocotb reads, put its folders first in Python's path.
    with tempfile.TemporaryDirectory(prefix="ga2-break-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        seen = _played(broken, sim, folder)
    return seen if seen.problem else _judge(broken, sim, seen)


def _played(broken: Break, sim: str, folder: Path) -> Seen:
    """What the broken copy's run says."""
    search = _prepare(broken, folder)
    apart = {"GA2_OVERLAY": str(folder / "overlay"), "GA2_BUILD_DIR": str(folder / "build"), SWITCH: "0"}
    with _environment(apart):
        try:
            _run(_Played.of(broken), sim, search)
        except BuildError as error:
            return Seen(broken.name, {}, problem=f"does not compile: {' '.join(str(error).split())[:200]}")
        except SimulationError as error:
            return _seen(broken, folder, error)
    return Seen(broken.name, {}, problem="survives: the test passed")


def _judge(broken: Break, sim: str, seen: Seen) -> Seen:
    problem = ""
    if broken.caught_by not in seen.checkers:
        problem = f"{broken.caught_by} did not see it; seen by {', '.join(seen.checkers) or 'nobody'}"
    elif missing := [text for text in broken.says if text not in seen.report]:
        problem = f"the report does not say '{missing[0]}'"
    elif not _passes_without(_Played.of(broken), sim):
        problem = "the test fails without the break too"
    return Seen(seen.name, seen.checkers, seen.report, problem)


@cache
def _passes_without(played: _Played, sim: str) -> bool:
    try:
        _run(played, sim, None)
    except SimulationError:
        return False
    return True


def _prepare(broken: Break, folder: Path) -> Path | None:
    """The broken file where the simulation finds it first; the folder for its Python path, if that is Python."""
    (folder / "overlay").mkdir()
    if broken.file.endswith(".sv"):
        (folder / "overlay" / Path(broken.file).name).write_text(broken.broken())
        return None
    tree = folder / "tree"
    if broken.file.startswith("sw/"):  # a package with an __init__ comes from one folder alone, its root above it
        tree.mkdir()
        for entry in ROOT.iterdir():
            if entry.name not in ("sw", "build", ".git"):
                (tree / entry.name).symlink_to(entry)
        shutil.copytree(ROOT / "sw", tree / "sw", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    target = tree / broken.file
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(broken.broken())
    return tree / "sw" if broken.file.startswith("sw/") else tree


def _run(played: _Played, sim: str, search: Path | None) -> None:
    env = {
        "GA2_CONFIG": played.config,
        "GA2_FIRST_SEED": str(played.seed),
        "GA2_PROGRAMS": str(played.programs),
        "GA2_MEMORY": played.memory,
    }
    run(_build(played, sim), played.bench, testcase=played.test, env=env, search=[search] if search else [])


def _build(played: _Played, sim: str) -> Build:
    if played.memory == "hostile":
        return build_hostile(played.config, sim, memory_bytes=MEMORY_BYTES)
    if played.memory == "axi":
        return build_axi(played.config, sim)
    system = played.bench.startswith("verif.system")
    return build_core(played.config, sim, memory_bytes=DECODING_BYTES if system else MEMORY_BYTES)


def _seen(broken: Break, folder: Path, error: SimulationError) -> Seen:
    """Who complained in the failed run: its verdict, what ended the simulation, or the test itself."""
    verdict = next(iter(folder.glob("build/runs/*/verdict.json")), None)
    found, reports = {}, []
    if verdict is not None:
        facts = json.loads(verdict.read_text())
        found = {name: problems[0] for name, problems in facts["checkers"].items() if problems}
        reports = facts["reports"]
    log = "\n".join(path.read_text(errors="replace") for path in folder.glob("build/runs/*/test.log"))
    if fatal := fatal_in(log):
        name = next(checker for start, checker in RULES.items() if fatal.message.startswith(start))
        found.setdefault(name, fatal.message)
    if not found:
        found[TESTS.get(broken.test, "test")] = str(error).partition("; log:")[0]
    report = next(iter(reports), error.report or str(error))
    return Seen(broken.name, found, report)


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
