# SPDX-License-Identifier: Apache-2.0
"""Folders for the length of a run."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ga2.sim.scratch import scratch

HELD = """\
import time
from ga2.sim.scratch import scratch
with scratch("held") as folder:
    (folder / "inside").mkdir()
    print(folder, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    return tmp_path / "scratch"


def test_nothing_stays_after_the_end(root: Path) -> None:
    with scratch("one") as first, scratch("one") as second:
        assert first != second and first.is_dir() and second.is_dir()
        (first / "file").touch()
    with pytest.raises(ZeroDivisionError), scratch("two") as folder:
        assert folder.name.startswith("two-")
        raise ZeroDivisionError
    assert not list(root.iterdir())


def test_what_a_killed_run_left_goes_with_the_next_one_and_nothing_else(root: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HELD], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    held = Path(holder.stdout.readline().strip())
    with scratch("next"):
        assert (held / "inside").is_dir()
    holder.send_signal(signal.SIGKILL)
    holder.wait(60)
    assert held.is_dir()
    with scratch("next"):
        assert not held.exists()
    assert not list(root.iterdir())
