# SPDX-License-Identifier: Apache-2.0
"""Run cocotb tests on a build. The results file is the only judge: exit codes of simulators say little."""

import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from cocotb_tools.check_results import get_results

from ga2.sim import tools
from ga2.sim.build import CODE_COVERAGE, Build, build_root
from ga2.sim.errors import SimulationError, tail
from ga2.sim.follow_up import ended, follow_up
from ga2.sim.process import call_runner, python_path
from ga2.sim.sources import ROOT


@dataclass(frozen=True)
class Run:
    """A finished, passed run: the number of tests, and the folder if it was kept."""

    tests: int
    directory: Path | None


def _failed_tests(results: Path) -> str:
    """The failed tests, each with the first line of its message."""
    failed = []
    for case in ElementTree.parse(results).getroot().iter("testcase"):
        problem = next((found for kind in ("failure", "error") if (found := case.find(kind)) is not None), None)
        if problem is not None:
            message = problem.get("message", "").strip().partition("\n")[0]
            failed.append(f"{case.get('name', '?')} ({message})" if message else case.get("name", "?"))
    return ", ".join(failed)


def passed_tests(results: Path) -> int:
    """The number of passed tests; SimulationError for a missing or unreadable file, no test, or a failure."""
    try:
        tests, failures = get_results(results)
    except (RuntimeError, ElementTree.ParseError):
        raise SimulationError("the simulation ended without results") from None
    if failures or tests == 0:
        raise SimulationError(f"failed: {_failed_tests(results)}" if failures else "no test ran")
    return tests


def judge(results: Path, log: Path) -> int:
    """`passed_tests`, with the log in the error."""
    try:
        return passed_tests(results)
    except SimulationError as error:
        raise SimulationError(f"{error}; log: {log}\n{tail(log.read_text(errors='replace'))}") from None


def _keep_counts(made: Path) -> None:
    """A passed run's line and toggle counts, under a name of their own."""
    from ga2.coverage.code import store  # which needs this package's sources

    store(made, Path(os.environ[CODE_COVERAGE]) / f"{made.parent.name}-{uuid.uuid4().hex}.dat")


def run(
    build: Build,
    test_module: str,
    *,
    testcase: str | Sequence[str] | None = None,
    env: Mapping[str, str] | None = None,
    search: Sequence[Path] = (),
    seed: int | None = None,
    plusargs: Sequence[str] = (),
    keep: bool = False,
    watch: Callable[[Path], None] | None = None,
) -> Run:
    """Run the tests of a Python module on a build, in a folder of their own.

    `test_module` is importable from the repository's root or from a folder of `search`. The folder is removed when
    the run passed, unless `keep` is set or waves are written, and when it was interrupted; a failed run's folder stays
    for its log. `watch` gets the folder a few times a second. Raises SimulationError.
    """
    runs = build_root() / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    prefix = f"{test_module.rpartition('.')[2]}-{build.sim}-"
    directory = Path(tempfile.mkdtemp(prefix=prefix, dir=runs))
    results = directory / "results.xml"
    results.unlink(missing_ok=True)
    arguments = {
        "test_module": test_module,
        "hdl_toplevel": build.top,
        "hdl_toplevel_lang": "verilog",
        "testcase": testcase if testcase is None or isinstance(testcase, str) else list(testcase),
        "seed": seed,
        "plusargs": [*plusargs, *(["+dumpfile_path=dump.fst"] if build.waves else [])],
        "test_args": ["+verilator+rand+reset+2", f"+verilator+seed+{1 if seed is None else seed}"]
        if build.sim == "verilator"
        else [],
        # To Icarus it gives the dump's format, to Verilator the order to dump everything.
        "waves": build.waves or (build.probe and build.sim == "icarus"),
        "build_dir": str(build.directory),
        "test_dir": str(directory),
        "results_xml": str(results),
    }
    child_env = tools.environment() | {"PYTHONPATH": python_path(*search, ROOT)} | dict(env or {})
    tick = None if watch is None else lambda: watch(directory)
    finished = False
    try:
        call_runner(build.sim, "test", arguments, directory=directory, env=child_env, watch=tick)
        finished = True
        try:
            tests = judge(results, directory / "test.log")
        except SimulationError as error:
            report = ended(directory)
            text = "\n".join(filter(None, [str(error), report]))
            raise SimulationError(f"{text}{follow_up(directory, build.sim)}", directory, report) from None
        if build.counts:
            _keep_counts(directory / "coverage.dat")
        if watch is not None:
            watch(directory)
    finally:
        if not finished:
            shutil.rmtree(directory, ignore_errors=True)
    if keep or build.waves:
        return Run(tests, directory)
    shutil.rmtree(directory)
    return Run(tests, None)
