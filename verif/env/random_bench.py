# SPDX-License-Identifier: Apache-2.0
"""Plays generated cases in one simulation of the environment; `ga2 random` and `ga2 replay` start it.

$GA2_CONFIG, $GA2_SETTINGS and $GA2_CASES (seeds, separated by blanks) say what is drawn; with $GA2_CASE_FILES, a JSON
list of paths, the cases are numbers of that list instead. With $GA2_STEER the holes of the last coverage report steer.
$GA2_REPORT names a file that gets a JSON line as each case begins and one when it has ended, and $GA2_KEEP a folder
where the case under way, or the one that failed, is to be found. With $GA2_MEMORY=hostile the memory waits, in another
manner during each case. The first case that is wrong ends the simulation.
"""

import json
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyuvm
from pyuvm import ConfigDB

from ga2.spec import Config
from verif.core.stall_profile import SHAPES, Profile, profile
from verif.env.base_test import TIMEOUT, BaseTest
from verif.env.case_sequence import CaseSequence, Pauses
from verif.env.settings import Memory
from verif.programs.case import Case, load_case
from verif.programs.draw import draw_case
from verif.programs.program import Program
from verif.programs.statistics import measure
from verif.programs.steering import hole_score

HOST_PAUSES = (0.0, 0.3, 0.7)  # how often a channel of the control port waits
PAUSED_LIMIT = 1_000_000  # cycles that a program may take on a memory that pauses


class Drawer:
    """The cases that the environment names, by number."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.numbers = [int(number) for number in os.environ["GA2_CASES"].split()]
        self.files = [Path(path) for path in json.loads(os.environ.get("GA2_CASE_FILES", "[]"))]
        self.score = hole_score() if os.environ.get("GA2_STEER") else None

    def draw(self, number: int) -> Case:
        """From its file, or from its seed."""
        if self.files:
            return load_case(self.files[number])
        return draw_case(self.config, number, os.environ["GA2_SETTINGS"], self.score)


def pauses_of(seed: int) -> Profile:
    """How the memory and the host wait during a case: all shapes in turn, each with and without pauses of the host."""
    names = tuple(SHAPES)
    host = HOST_PAUSES[seed // len(names) % len(HOST_PAUSES)]
    return profile(names[seed % len(names)], random.Random(seed), host)


class Reporter:
    """Writes what became of each case where the environment says; `places` describes the first differences."""

    def __init__(self, config: Config, places: Callable[[], Sequence[str]]) -> None:
        self.config, self.places = config, places
        self.report, self.folder = os.environ.get("GA2_REPORT"), os.environ.get("GA2_KEEP")

    def begun(self, number: int, case: Case) -> None:
        """Leave the case where it is found if the simulation does not survive it."""
        if self.folder:
            case.save(self._kept(number))
        self._line(case=number, name=case.name)

    def ended(self, number: int, case: Case, program: Program, problems: Sequence[str]) -> None:
        """What is wrong, or the program's statistics."""
        if problems:
            self._line(case=number, name=case.name, problem="; ".join(problems), place="\n".join(self.places()))
            return
        measured = measure(self.config, program).to_dict()
        self._line(case=number, name=case.name, passed=True, end=case.end.kind, **measured)
        if self.folder:
            self._kept(number).unlink()

    def _kept(self, number: int) -> Path:
        return Path(str(self.folder)) / f"{number}.json"

    def _line(self, **fields: Any) -> None:
        if self.report:
            with Path(self.report).open("a") as lines:
                print(json.dumps(fields), file=lines)


class PausingTest(BaseTest):
    """A test of cases, on the memory that never waits or on one that does."""

    def build_phase(self) -> None:
        super().build_phase()
        if self.settings.memory is not Memory.REFERENCE:
            self.settings = replace(self.settings, limit=PAUSED_LIMIT)
            ConfigDB().set(None, "*", "SETTINGS", self.settings)

    def pauses(self) -> Pauses | None:
        """How the memory waits during each case; None if it never does."""
        if self.settings.memory is Memory.REFERENCE:
            return None
        return Pauses(pauses_of, self.environment.mem_agent.sequencer)


@pyuvm.test(**TIMEOUT)
class RandomPrograms(PausingTest):
    """Each case, every scoreboard, and the statistics of each program."""

    def sequence(self) -> CaseSequence:
        drawer = Drawer(self.config)
        self.reporter = Reporter(self.config, lambda: self.environment.locator.reports)
        assert drawer.numbers, "no case to play"
        return CaseSequence(drawer.numbers, drawer.draw, self, self.pauses())

    def begun(self, number: int, case: Case) -> None:
        """To the report."""
        self.reporter.begun(number, case)

    def mismatches(self) -> list[str]:
        """Of every scoreboard, so far."""
        return self.environment.mismatches()

    def ended(self, number: int, case: Case, program: Program, problems: Sequence[str]) -> None:
        """To the report."""
        self.reporter.ended(number, case, program, problems)
