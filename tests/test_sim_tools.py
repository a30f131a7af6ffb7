# SPDX-License-Identifier: Apache-2.0
"""What is said when a simulator is missing, and how a finished simulation is judged; how runs in threads end."""

import os
import sys
import threading
from pathlib import Path

import pytest

from ga2.sim import SIMULATORS, SimulationError, ToolMissing, tools
from ga2.sim.process import supervise, threads
from ga2.sim.run import judge


@pytest.mark.parametrize("sim", SIMULATORS)
def test_a_missing_simulator_is_one_clear_line(sim: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    with pytest.raises(ToolMissing, match="not found in PATH.*make setup") as caught:
        tools.version(sim)
    assert "\n" not in str(caught.value)


def test_an_old_verilator_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "verilator"
    old.write_text("#!/bin/sh\necho Verilator 5.006 2023-01-22\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.prefix", str(tmp_path / "none"))
    with pytest.raises(ToolMissing, match=r"Verilator 5\.006.*5\.036 or newer"):
        tools.version("verilator")


def test_an_unknown_simulator_is_refused() -> None:
    with pytest.raises(ValueError, match="icarus, verilator"):
        tools.version("modelsim")


@pytest.mark.parametrize(
    ("results", "message"),
    [
        (None, "without results"),
        ("<testsuites", "without results"),
        ('<testsuites><testsuite tests="0"/></testsuites>', "no test ran"),
        (
            '<testsuites><testsuite tests="2" failures="1"><testcase name="good"/>'
            '<testcase name="bad"><failure/></testcase></testsuite></testsuites>',
            "failed: bad",
        ),
    ],
)
def test_only_a_results_file_with_passed_tests_counts(results: str | None, message: str, tmp_path: Path) -> None:
    log = tmp_path / "test.log"
    log.write_text("the last words\n")
    if results is not None:
        (tmp_path / "results.xml").write_text(results)
    with pytest.raises(SimulationError, match=message) as caught:
        judge(tmp_path / "results.xml", log)
    assert str(log) in str(caught.value) and "the last words" in str(caught.value)


def test_passed_tests_are_counted(tmp_path: Path) -> None:
    (tmp_path / "results.xml").write_text('<testsuites><testsuite tests="3" failures="0"/></testsuites>')
    assert judge(tmp_path / "results.xml", tmp_path / "test.log") == 3


def test_an_error_ends_the_runs_of_other_threads_and_none_later(tmp_path: Path) -> None:
    started = threading.Event()

    def sleep(seconds: float) -> int:
        command = [sys.executable, "-c", f"import time; time.sleep({seconds})"]
        return supervise(command, directory=tmp_path, log=tmp_path / "log", env=os.environ, watch=started.set)

    with pytest.raises(ZeroDivisionError), threads(1) as pool:
        sleeping = pool.submit(sleep, 600)
        assert started.wait(60)
        raise ZeroDivisionError
    with pytest.raises(KeyboardInterrupt):
        sleeping.result()
    assert sleep(0.5) == 0
