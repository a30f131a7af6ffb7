# SPDX-License-Identifier: Apache-2.0
"""What is said when a simulator is missing, and how a finished simulation is judged; how runs in threads end."""

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from ga2.sim import SIMULATORS, SimulationError, ToolMissing, tools
from ga2.sim.build import build, is_whole
from ga2.sim.errors import BuildError
from ga2.sim.guard import guarded
from ga2.sim.process import stop_if_ending, supervise, threads
from ga2.sim.run import judge


@pytest.mark.parametrize("sim", SIMULATORS)
def test_a_missing_simulator_is_one_clear_line(sim: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    with pytest.raises(ToolMissing, match="not found in PATH.*make setup") as caught:
        tools.version(sim)
    assert "\n" not in str(caught.value)


def test_a_blank_in_the_path_is_named_before_verilator_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path / "a folder"))
    monkeypatch.setattr(tools, "version", lambda sim: "")
    with pytest.raises(BuildError, match="cannot build below .*/a folder, because the path has a blank: set GA2_BUILD"):
        build("ga2_fifo", "verilator")
    assert not (tmp_path / "a folder").exists()


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


def _ends(pid: int) -> bool:
    """Whether the process is gone within a while."""
    for _ in range(300):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.1)
    return False


SUPERVISED = """\
import os, sys, time
from functools import partial
from pathlib import Path
from ga2.sim.process import supervise
folder, depth = Path(sys.argv[1]), int(sys.argv[2])
(folder / f"pid{depth}").write_text(str(os.getpid()))
if depth:
    below = [sys.executable, __file__, str(folder), str(depth - 1)]
    supervise(below, directory=folder, log=folder / f"log{depth}", env=os.environ)
else:
    (folder / "started").touch()
    time.sleep(600)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_nothing_outlives_a_caller_however_deep_it_lies(number: signal.Signals, tmp_path: Path) -> None:
    """As a bench in pytest below a command: what has a session of its own is no longer in the caller's group."""
    program = tmp_path / "supervised.py"
    program.write_text(SUPERVISED)
    caller = subprocess.Popen(
        [sys.executable, str(program), str(tmp_path), "2"],
        preexec_fn=partial(signal.signal, signal.SIGHUP, signal.SIG_DFL),  # the tests may run below nohup
    )
    for _ in range(600):
        if (tmp_path / "started").exists():
            break
        time.sleep(0.1)
    caller.send_signal(number)
    caller.wait(60)
    assert all(_ends(int((tmp_path / f"pid{depth}").read_text())) for depth in range(2))


def test_nothing_starts_below_a_caller_that_has_gone(tmp_path: Path) -> None:
    """It may die before the kernel knows that its end is of interest."""
    made = tmp_path / "made"
    command = [sys.executable, "-c", f"open({str(made)!r}, 'w')"]
    orphan = guarded(command)
    orphan[orphan.index(str(os.getpid()))] = "1"
    assert subprocess.run(guarded(command), check=False).returncode == 0 and made.exists()
    made.unlink()
    assert subprocess.run(orphan, check=False).returncode == 128 + signal.SIGTERM and not made.exists()


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


def _ends_early(seconds: float) -> bool:
    """Whether a thread's work is called off within so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            stop_if_ending()
        except KeyboardInterrupt:
            return True
        time.sleep(0.01)
    return False


def test_a_pool_within_a_pool_does_not_call_off_the_end() -> None:
    """When the block has failed, a thread leaves its own inner pool; another thread must hear of the end after that."""
    entered, left = threading.Event(), threading.Event()

    def inner() -> None:
        with threads(1):
            entered.set()
            assert _ends_early(60)
        left.set()

    def other() -> bool:
        return left.wait(60) and _ends_early(5)

    with pytest.raises(ZeroDivisionError), threads(2) as pool:
        heard = pool.submit(other)
        pool.submit(inner)
        assert entered.wait(60)
        raise ZeroDivisionError
    assert heard.result()
    stop_if_ending()


def test_half_of_a_program_of_icarus_is_seen(tmp_path: Path) -> None:
    """iverilog ends without an error when the disk is full."""
    source, program = tmp_path / "top.v", tmp_path / "sim.vvp"
    source.write_text("module top; initial $finish; endmodule\n")
    subprocess.run(["iverilog", "-o", program, source], check=True)
    whole = program.read_bytes()
    assert is_whole(program)
    for kept in range(len(whole) - 1):
        program.write_bytes(whole[:kept])
        assert not is_whole(program), kept
