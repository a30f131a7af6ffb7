# SPDX-License-Identifier: Apache-2.0
"""Shrinks a stored case in simulations of its own (`verif/env/shrink_bench.py`)."""

import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ga2.generated.campaign import Plan, build_of, settings_of
from ga2.sim.build import Build
from ga2.sim.errors import SimulationError
from ga2.sim.run import run
from ga2.sim.scratch import scratch

BENCH = "verif.env.shrink_bench"
KILLED = "ends the simulation"


@dataclass(frozen=True)
class Shrunk:
    """The short case's file and what is wrong with it."""

    path: Path
    problem: str


class _Simulations:
    """Where cases are played, and how a campaign's environment plays them."""

    def __init__(self, build: Build, settings: Mapping[str, str]) -> None:
        self._build, self._settings = build, settings

    def play(self, folder: Path, seconds: float, known: bool, progress: Callable[[], None]) -> bool:
        """One simulation; whether it ended by itself. A case that it does not survive has failed."""
        own = {"GA2_SHRINK": str(folder), "GA2_SECONDS": str(seconds), "GA2_KNOWN": "1" if known else ""}
        trying = folder / "trying.json"
        try:
            run(self._build, BENCH, env={**self._settings, **own}, watch=lambda _: progress())
        except SimulationError as error:
            if not trying.is_file():
                raise
            number = len(_failing(folder))
            (folder / f"{number:06}.txt").write_text(f"{KILLED}: {_reason(error)}")
            trying.replace(folder / f"{number:06}.json")
            return False
        return True

    def fails_alone(self, case: Path) -> bool:
        """Whether a case fails in a simulation in which nothing ran before it."""
        with scratch("again") as folder:
            shutil.copyfile(case, folder / "case.json")
            self.play(folder, 0, False, lambda: None)
            return bool(_failing(folder))


def shrink(plan: Plan, case: Path, seconds: float, progress: Callable[[float], None]) -> Shrunk | None:
    """The shortest case found within `seconds`, beside `case`; None if it passes when it runs alone.

    `progress` gets the seconds used. A simulation that a case ended is followed by one that goes on from there. In the
    end the shortest must fail again alone; if what ran before it mattered, a longer one is taken, which does.
    """
    end = time.monotonic() + seconds
    simulations = _Simulations(build_of(plan), {**settings_of(plan), "GA2_PROGRAMS": "1"})
    made = case.with_suffix(".short.json")
    with scratch("shrink") as folder:
        shutil.copyfile(case, folder / "case.json")
        while (left := end - time.monotonic()) > 0:
            known = bool(_failing(folder))
            if simulations.play(folder, left, known, lambda: progress(seconds + time.monotonic() - end)):
                break
            shutil.copyfile(_failing(folder)[-1], folder / "case.json")
        failing = _failing(folder)
        if not failing:
            return None
        at = len(failing) - 1
        while at and not simulations.fails_alone(failing[at]):
            at //= 2  # the first, the case itself, was played first
        shutil.copyfile(failing[at], made)
        return Shrunk(made, failing[at].with_suffix(".txt").read_text())


def _failing(folder: Path) -> list[Path]:
    """The cases that failed, each smaller than the one before."""
    return sorted(folder.glob("[0-9]*.json"))


def _reason(error: SimulationError) -> str:
    """What a `$fatal` said, or how the test failed."""
    return error.report.partition("\n")[0] or str(error).partition("; log:")[0]
