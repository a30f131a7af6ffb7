# SPDX-License-Identifier: Apache-2.0
"""Play one deliberate mistake in a copy, and say who saw it; its test must pass without the mistake.

SystemVerilog goes through the overlay of `ga2.sim.sources`; Python lies in a folder that comes first in the path of the
simulation. Builds go to a folder that is removed afterwards. Nothing in the working tree changes.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ga2.seeded import unit_bench, whole_core
from ga2.seeded.mistake import CHANGE, Failed, Mistake
from ga2.sim.errors import BuildError
from ga2.sim.follow_up import SWITCH
from ga2.sim.sources import ROOT


@dataclass(frozen=True)
class Seen:
    """Who saw a mistake, with the first complaint of each; the locator's report; or why that says nothing."""

    mistake: Mistake
    checkers: Mapping[str, str]
    report: str = ""
    problem: str = ""


def play(mistake: Mistake, sim: str) -> Seen:
    """Play it in one simulator. Raises ToolMissing; ValueError if its text is not where it should be."""
    # Not below the repository: there pytest's settings, which cocotb reads, put its folders first in Python's path.
    with tempfile.TemporaryDirectory(prefix="ga2-mistake-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        search = _prepare(mistake, folder)
        apart = {"GA2_OVERLAY": str(folder / "overlay"), "GA2_BUILD_DIR": str(folder / "build"), SWITCH: "0"}
        try:
            with _environment(apart):
                failed = _run(mistake, sim, search)
        except BuildError as error:
            return Seen(mistake, {}, problem=f"does not compile: {' '.join(str(error).split())[:200]}")
        if failed is None:
            return Seen(mistake, {}, problem="survives: every test passed")
        seen = Seen(mistake, failed.checkers, failed.report, failed.problem)
        return seen if seen.problem else judge(seen, failed.test, sim)


def judge(seen: Seen, test: str, sim: str) -> Seen:
    """Whether the right one saw it and said enough, and the test passes without the mistake."""
    mistake, problem = seen.mistake, ""
    if mistake.caught_by not in seen.checkers:
        problem = f"{mistake.caught_by} did not see it; seen by {', '.join(seen.checkers) or 'nobody'}"
    elif missing := [text for text in mistake.says if text not in seen.report]:
        problem = f"the report does not say '{missing[0]}'"
    elif not _passes_without(_test_alone(mistake, test), sim):
        problem = f"no verdict: {test} fails without the mistake too"
    return replace(seen, problem=problem)


def _test_alone(mistake: Mistake, test: str) -> Mistake:
    """The test that failed, the same for every mistake that it sees."""
    return mistake.model_copy(update={**dict.fromkeys((*CHANGE, "caught_by"), ""), "says": (), "test": test})


@cache
def _passes_without(test: Mistake, sim: str) -> bool:
    with _environment({"GA2_OVERLAY": "", SWITCH: "0"}):
        return _run(test, sim, None) is None


def _run(mistake: Mistake, sim: str, search: Path | None) -> Failed | None:
    """How the test failed; None if it passed. BuildError for what cannot be compiled."""
    return (unit_bench if mistake.unit else whole_core).run_test(mistake, sim, search)


def _prepare(mistake: Mistake, folder: Path) -> Path | None:
    """The broken file where the simulation finds it first; the folder for its Python path, if that is Python."""
    (folder / "overlay").mkdir()
    (folder / "build").mkdir()
    if mistake.file.endswith(".sv"):
        (folder / "overlay" / Path(mistake.file).name).write_text(mistake.broken())
        return None
    tree = folder / "tree"
    if mistake.file.startswith("sw/"):  # a package with an __init__ comes from one folder alone, its root above it
        tree.mkdir()
        for entry in ROOT.iterdir():
            if entry.name not in ("sw", "build", ".git"):
                (tree / entry.name).symlink_to(entry)
        shutil.copytree(ROOT / "sw", tree / "sw", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    target = tree / mistake.file
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(mistake.broken())
    return tree / "sw" if mistake.file.startswith("sw/") else tree


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
