# SPDX-License-Identifier: Apache-2.0
"""Run a unit's bench: its pytest entry, in a process of its own, up to the first test that fails."""

import os
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

from ga2.seeded.mistake import Failed, Mistake
from ga2.sim.errors import BuildError, tail
from ga2.sim.process import supervise
from ga2.sim.sources import ROOT

LIMIT = 900.0  # seconds for one run: a bench must end by itself
PASSED, FAILED = 0, 1  # pytest's exit codes for tests that ran


class _TooLong(Exception):
    pass


def run_test(mistake: Mistake, sim: str, search: Path | None) -> Failed | None:
    """How the bench, or one test of it, failed; None if everything passed. BuildError if it cannot be compiled."""
    assert search is None, "a unit's bench sees mistakes in the RTL alone"
    select = f"verif/unit/{mistake.unit}" + (f"/test_{mistake.unit}.py::{mistake.test}" if mistake.test else "")
    with tempfile.TemporaryDirectory(prefix="ga2-unit-", ignore_cleanup_errors=True) as name:
        results, log = Path(name) / "results.xml", Path(name) / "pytest.log"
        try:
            code = _pytest(select, sim, results, log)
        except _TooLong:
            return Failed(mistake.test, problem=f"no verdict: the bench has not ended after {LIMIT:.0f} s")
        if code == PASSED:
            return None
        test, complaint = _first_failure(results) if code == FAILED and results.is_file() else ("", "")
        kind, _, text = complaint.partition(": ")
        if kind.endswith("BuildError"):
            raise BuildError(text)
        if not test or kind.endswith("ToolMissing"):
            why = complaint or f"pytest ended with {code}: {tail(log.read_text(errors='replace'), 3)}"
            return Failed(test, problem=f"no verdict: {' '.join(why.split())}")
        said = (text if kind.endswith("Error") else complaint).partition("; log:")[0]
        return Failed(test, {mistake.unit: f"{test}: {said}"})


def _pytest(select: str, sim: str, results: Path, log: Path) -> int:
    """Its exit code. _TooLong when it does not end."""
    command = [sys.executable, "-m", "pytest", select, "--sim", sim, "-x", "-q", "-p", "no:cacheprovider",
               f"--junitxml={results}"]  # fmt: skip
    end = time.monotonic() + LIMIT

    def watch() -> None:
        if time.monotonic() > end:
            raise _TooLong

    return supervise(command, directory=ROOT, log=log, env=os.environ, watch=watch)


def _first_failure(results: Path) -> tuple[str, str]:
    """The name of the failed test, and the first line of what it said; two empty strings if none failed."""
    for case in ElementTree.parse(results).getroot().iter("testcase"):
        failure = case.find("failure")
        if failure is not None:
            return case.get("name", "?"), failure.get("message", "").strip().partition("\n")[0]
    return "", ""
