# SPDX-License-Identifier: Apache-2.0
"""Folders for the length of a run, below build/scratch; what a killed run has left there goes with the next one."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ga2.sim.build import build_root

LOCK = ".lock"


@contextmanager
def scratch(purpose: str) -> Iterator[Path]:
    """A folder of this run's own, its name beginning with `purpose`; it is removed at the end."""
    root = build_root() / "scratch"
    root.mkdir(parents=True, exist_ok=True)
    _sweep(root)
    descriptor, name = tempfile.mkstemp(LOCK, f"{purpose}-", root)
    folder = Path(name.removesuffix(LOCK))
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        folder.mkdir()
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        Path(name).unlink(missing_ok=True)
        os.close(descriptor)


def _sweep(root: Path) -> None:
    """Remove the folders whose lock nobody holds: the kernel lets go of it however a process ends."""
    for path in root.glob(f"*{LOCK}"):
        try:
            with path.open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path.with_name(path.name.removesuffix(LOCK)), ignore_errors=True)
                path.unlink(missing_ok=True)
        except OSError:  # held, or gone meanwhile
            continue
