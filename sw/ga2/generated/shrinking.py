# SPDX-License-Identifier: Apache-2.0
"""Shrinks a stored case in simulations of its own (`verif/programs/shrink_bench.py`)."""

import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ga2.sim.build import Build, build_root
from ga2.sim.errors import SimulationError
from ga2.sim.run import run

BENCH = "verif.programs.shrink_bench"
KILLED = "ends the simulation"


@dataclass(frozen=True)
class Shrunk:
    """The short case's file and what is wrong with it."""

    path: Path
    problem: str


def shrink(
    build: Build, config: str, case: Path, seconds: float, progress: Callable[[float], None]
) -> Shrunk | None:
    """The shortest case found within `seconds`, beside `case`; None if it passes when it runs alone.

    `progress` gets the seconds used.

    A case that a simulation does not survive has failed: the next simulation goes on from there.
    """
    end = time.monotonic() + seconds
    made = case.with_suffix(".short.json")
    with tempfile.TemporaryDirectory(prefix="shrink-", dir=build_root()) as name:
        folder = Path(name)
        best, trying = folder / "best.json", folder / "trying.json"
        shutil.copyfile(case, folder / "case.json")
        while (left := end - time.monotonic()) > 0:
            known = "1" if best.is_file() else ""
            own = {"GA2_CONFIG": config, "GA2_SHRINK": name, "GA2_SECONDS": str(left), "GA2_KNOWN": known}
            try:
                run(build, BENCH, env=own, watch=lambda _: progress(seconds + time.monotonic() - end))
                break
            except SimulationError as error:
                if not trying.is_file():
                    raise
                (folder / "problem.txt").write_text(f"{KILLED}: {str(error).partition('; log:')[0]}")
                trying.replace(best)
                shutil.copyfile(best, folder / "case.json")
        if not best.is_file():
            return None
        shutil.copyfile(best, made)
        return Shrunk(made, (folder / "problem.txt").read_text())
