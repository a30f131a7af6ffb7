# SPDX-License-Identifier: Apache-2.0
"""`fusesoc run` leaves no process behind, and several at once do not disturb one another."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fusesoc_core import USER, command, environment, write_user_core

pytestmark = pytest.mark.simulation
PATIENCE = 90.0  # seconds


def _start(cwd: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(cwd, "sim", USER, "--tool=icarus", *options),
        cwd=cwd, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def _wait_for(what: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not what() and time.monotonic() < end:
        time.sleep(0.2)
    return what()


def _gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_nothing_outlives_an_interrupted_run(number: signal.Signals, tmp_path: Path) -> None:
    root = write_user_core(tmp_path)
    started = root / "build" / "example_user_queue_1.0.0" / "sim" / "icarus-wide" / "started"
    run = _start(root, "--cocotb_module=bench.endless")
    assert _wait_for(lambda: started.exists() and started.read_text() != ""), "the simulation did not start"
    simulator = int(started.read_text())
    assert not _gone(simulator)
    os.kill(run.pid, number)
    if not _wait_for(lambda: _gone(simulator)):
        os.kill(simulator, signal.SIGKILL)
        pytest.fail(f"the simulation outlived {number.name}")
    output, _ = run.communicate(timeout=PATIENCE)
    if number == signal.SIGINT:
        assert (run.returncode, output.rstrip().rpartition("\n")[2]) == (130, "interrupted"), output
    else:
        assert run.returncode != 0


def test_runs_at_once_do_not_disturb_one_another(tmp_path: Path) -> None:
    """The same target, twice in one configuration and once in another: all pass, each in its folder."""
    root = write_user_core(tmp_path)
    runs = [_start(root, f"--config={config}") for config in ("wide", "wide", "small")]
    outputs = [run.communicate(timeout=PATIENCE)[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0, 0], "\n".join(outputs)
    assert len(list(root.glob("build/*/sim/icarus-*/results.xml"))) == 2
