# SPDX-License-Identifier: Apache-2.0
"""Run tests on a copy of the sources with a change in it; nothing in the working tree changes.

The copy has links to everything but the Python sources and the tests; pytest's settings put its own folders first.
"""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from ga2.mutants.table import Mutant
from ga2.sim.errors import tail
from ga2.sim.process import supervise
from ga2.sim.sources import ROOT

LIMIT = 900.0  # seconds for one change: a broken version may also never end
PASSED, FAILED = 0, 1  # pytest's exit codes for tests that ran
COPIED = ("compiler", "sw", "tests", "pyproject.toml")
LEFT_OUT = ("build", ".git")


@dataclass(frozen=True)
class Outcome:
    """What became of a change: whether its judge failed and what it said, or why that says nothing."""

    mutant: Mutant
    killed: bool
    says: str = ""
    problem: str = ""


class _TooLong(Exception):
    pass


def play(mutant: Mutant, judges: Sequence[str]) -> Outcome:
    """The outcome of one change. judges: what an equivalent one must pass. The judge is known to pass without it."""
    wanted = judges if mutant.equivalent else [mutant.judge]
    try:
        code, says = run(wanted, mutant)
    except _TooLong:
        return Outcome(mutant, False, problem=f"the tests have not ended after {LIMIT:.0f} s")
    if code not in (PASSED, FAILED):
        return Outcome(mutant, False, problem=f"no verdict: pytest ended with {code}: {says}")
    killed = code == FAILED
    if killed and mutant.equivalent:
        return Outcome(mutant, True, says, "is called equivalent, and a test sees it")
    if not killed and not mutant.equivalent:
        return Outcome(mutant, False, problem=f"survives: {mutant.judge} passes")
    return Outcome(mutant, killed, says)


def run(judges: Sequence[str], mutant: Mutant | None = None) -> tuple[int, str]:
    """Pytest's exit code for some tests on a copy, and what the first failure says; without a mutant, unchanged."""
    with tempfile.TemporaryDirectory(prefix="ga2-mutant-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        tree = _copy(folder, mutant)
        results, log = folder / "results.xml", folder / "pytest.log"
        command = [sys.executable, "-m", "pytest", *judges, "-x", "-q", "-p", "no:cacheprovider",
                   "--rootdir", str(tree), "-c", str(tree / "pyproject.toml"), f"--junitxml={results}"]  # fmt: skip
        end = time.monotonic() + LIMIT

        def watch() -> None:
            if time.monotonic() > end:
                raise _TooLong

        search = os.pathsep.join((str(tree / "compiler"), str(tree / "sw"), str(tree)))
        environment = os.environ | {"PYTHONPATH": search, "PYTHONDONTWRITEBYTECODE": "1"}
        code = supervise(command, directory=tree, log=log, env=environment, watch=watch)
        failure = _first_failure(results) if code == FAILED and results.is_file() else ""
        return code, failure or " ".join(tail(log.read_text(errors="replace"), 3).split())


def _copy(folder: Path, mutant: Mutant | None) -> Path:
    tree = folder / "tree"
    tree.mkdir()
    for entry in ROOT.iterdir():
        target = tree / entry.name
        if entry.name in LEFT_OUT:
            continue
        if entry.name not in COPIED:
            target.symlink_to(entry)
        elif entry.is_dir():
            shutil.copytree(entry, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(entry, target)
    if mutant is not None:
        (tree / mutant.file).write_text(mutant.broken())
    return tree


def _first_failure(results: Path) -> str:
    """The first line of what the first failed test said."""
    for case in ElementTree.parse(results).getroot().iter("testcase"):
        failure = case.find("failure")
        if failure is not None:
            return failure.get("message", "").strip().partition("\n")[0]
    return ""
