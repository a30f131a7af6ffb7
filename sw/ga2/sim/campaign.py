# SPDX-License-Identifier: Apache-2.0
"""Campaigns: many numbered cases of a bench, in as few simulations as failures allow.

The bench (`verif/core/campaign_bench.py`, `verif/env/random_bench.py`) ends with its first bad case; the next
simulation goes on behind it.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ga2.sim.build import Build, build_hostile
from ga2.sim.errors import SimulationError
from ga2.sim.run import run
from ga2.sim.scratch import scratch

MEMORY_BYTES = 1 << 18  # external memory of the random programs
CHUNK = 100  # cases in one simulation
_COMPLAINT = re.compile(r"^.*(?:fatal|AssertionError|Error:).*$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class Case:
    """One played case: what it was about, whether it passed, else why not, and what the bench measured.

    place: a description of where things first went wrong, if the bench has one.
    """

    number: int
    name: str
    passed: bool
    problem: str = ""
    measured: dict[str, Any] = field(default_factory=dict)
    place: str = ""


def play(
    module: str, config: str, sim: str, seed: int, numbers: Sequence[int], progress: Callable[[int], None]
) -> list[Case]:
    """Play the numbered cases of a bench on the hostile memory; `progress` gets the number done so far.

    Builds the simulation if needed. Raises ToolMissing, BuildError, or SimulationError if one ends before any case.
    """
    build = build_hostile(config, sim, memory_bytes=MEMORY_BYTES)
    return play_on(build, module, {"GA2_CONFIG": config, "GA2_SEED": str(seed)}, numbers, progress)


def play_on(
    build: Build, module: str, env: Mapping[str, str], numbers: Sequence[int], progress: Callable[[int], None]
) -> list[Case]:
    """Play the numbered cases of a bench on a build, with more for its environment. SimulationError as in `play`."""
    cases: list[Case] = []
    while len(cases) < len(numbers):
        before = len(cases)
        chunk = numbers[before : before + CHUNK]
        cases += _simulate(build, module, env, chunk, partial(_after, before, progress))
        progress(len(cases))
    return cases


def _after(before: int, progress: Callable[[int], None], done: int) -> None:
    progress(before + done)


def _simulate(
    build: Build, module: str, env: Mapping[str, str], numbers: Sequence[int], progress: Callable[[int], None]
) -> list[Case]:
    """The cases of one simulation: all, or up to the first that failed."""
    with scratch("campaign") as folder:
        report = folder / "report"
        own = {"GA2_CASES": " ".join(map(str, numbers)), "GA2_REPORT": str(report)}
        try:
            run(
                build,
                module,
                env={**env, **own},
                watch=lambda _: progress(sum("passed" in line for line in _lines(report))),
            )
        except SimulationError as error:
            begun, passed = _split(_lines(report))
            bad = [line for line in begun if line["case"] not in {line["case"] for line in passed}]
            if not bad:
                raise
            problem = bad[-1].get("problem") or _complaint(str(error))
            place = bad[-1].get("place") or error.report
            failed = Case(bad[0]["case"], bad[0]["name"], False, problem, place=place)
            return [*map(_case, passed), failed]
        return list(map(_case, _split(_lines(report))[1]))


def _lines(report: Path) -> list[dict[str, Any]]:
    """The complete lines so far."""
    if not report.is_file():
        return []
    return [json.loads(line) for line in report.read_text().rpartition("\n")[0].splitlines()]


def _split(lines: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The lines of cases begun and of cases passed."""
    return [line for line in lines if "passed" not in line], [line for line in lines if "passed" in line]


def _case(line: dict[str, Any]) -> Case:
    known = ("case", "name", "passed")
    return Case(line["case"], line["name"], True, measured={key: line[key] for key in line if key not in known})


def _complaint(error: str) -> str:
    """The line of a failed simulation's log that says most."""
    found = _COMPLAINT.findall(error)
    return " ".join((found[0] if found else error.splitlines()[0]).split())
