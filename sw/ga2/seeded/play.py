# SPDX-License-Identifier: Apache-2.0
"""Run a unit's bench on a copy of the RTL with a seeded fault in it; a test must fail that passes without the fault.

The bench is the unit's pytest entry in a process of its own. $GA2_OVERLAY names the folder of the broken file, and its
builds go to a folder that is removed afterwards.
"""

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from ga2.seeded.table import Fault
from ga2.sim.build import build_root
from ga2.sim.errors import tail
from ga2.sim.process import supervise
from ga2.sim.sources import ROOT

LIMIT = 900.0  # seconds for one fault: a bench must end by itself
PASSED, FAILED = 0, 1  # pytest's exit codes for tests that ran
NO_VERDICT = ("BuildError", "ToolMissing")  # a fault that does not compile was seen by nobody


@dataclass(frozen=True)
class Outcome:
    """What became of a fault: the test that saw it and its complaint, or why none counts."""

    unit: str
    fault: str
    test: str
    complaint: str = ""
    problem: str = ""


class _TooLong(Exception):
    pass


def _pytest(select: str, sim: str, folder: Path, extra: dict[str, str]) -> tuple[int, Path, Path]:
    """Run pytest up to the first failure: exit code, results as JUnit XML, log. _TooLong when it does not end."""
    results, log = folder / "results.xml", folder / "pytest.log"
    command = [sys.executable, "-m", "pytest", select, "--sim", sim, "-x", "-q", "-p", "no:cacheprovider",
               f"--junitxml={results}"]  # fmt: skip
    end = time.monotonic() + LIMIT

    def watch() -> None:
        if time.monotonic() > end:
            raise _TooLong

    code = supervise(command, directory=ROOT, log=log, env=os.environ | extra, watch=watch)
    return code, results, log


def _first_failure(results: Path) -> tuple[str, str]:
    """The name of the failed test, and the first line of what it said; two empty strings if none failed."""
    for case in ElementTree.parse(results).getroot().iter("testcase"):
        failure = case.find("failure")
        if failure is not None:
            return case.get("name", "?"), failure.get("message", "").strip().partition("\n")[0]
    return "", ""


@cache
def _passes_without(unit: str, test: str, sim: str) -> bool:
    """Whether a test of a unit passes on the RTL as it is."""
    with tempfile.TemporaryDirectory(prefix="seeded-", dir=build_root(), ignore_cleanup_errors=True) as folder:
        select = f"verif/unit/{unit}/test_{unit}.py::{test}"
        return _pytest(select, sim, Path(folder), {"GA2_OVERLAY": ""})[0] == PASSED


def _judge(unit: str, fault: Fault, sim: str, code: int, results: Path, log: Path) -> Outcome:
    if code == PASSED:
        return Outcome(unit, fault.name, "", problem="survives: every test of the bench passed")
    test, complaint = _first_failure(results) if code == FAILED and results.is_file() else ("", "")
    kind, _, text = complaint.partition(": ")
    if not test or kind.rpartition(".")[2] in NO_VERDICT:
        why = complaint or f"pytest ended with {code}: {tail(log.read_text(errors='replace'), 3)}"
        return Outcome(unit, fault.name, "", problem=f"no verdict: {' '.join(why.split())}")
    if not _passes_without(unit, test, sim):
        return Outcome(unit, fault.name, test, problem=f"no verdict: {test} fails without the fault too")
    return Outcome(unit, fault.name, test, (text if kind.endswith("Error") else complaint).partition("; log:")[0])


def play(unit: str, fault: Fault, sim: str) -> Outcome:
    """The outcome of one fault in one simulator. ValueError if its text is not where it should be."""
    build_root().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="seeded-", dir=build_root(), ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "overlay").mkdir()
        (folder / "overlay" / fault.file).write_text(fault.broken())
        extra = {"GA2_OVERLAY": str(folder / "overlay"), "GA2_BUILD_DIR": str(folder / "build")}
        try:
            code, results, log = _pytest(f"verif/unit/{unit}", sim, folder, extra)
        except _TooLong:
            return Outcome(unit, fault.name, "", problem=f"no verdict: the bench has not ended after {LIMIT:.0f} s")
        return _judge(unit, fault, sim, code, results, log)


