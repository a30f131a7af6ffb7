# SPDX-License-Identifier: Apache-2.0
"""Shrinks a case in simulations of the environment: plays smaller and smaller ones, the core reset before each.

$GA2_SHRINK names a folder with case.json; the cases that failed get a number there, each smaller than the one before,
with the problem beside it. trying.json is the one under way: if the simulation does not survive it, it failed.
$GA2_SECONDS is how long to go on; with $GA2_KNOWN case.json is known to fail and is not played. $GA2_MEMORY=hostile
makes the memory pause during each case as it does in a campaign.
"""

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyuvm
from cocotb.triggers import with_timeout
from pyuvm import ConfigDB, uvm_sequence

from ga2.device.rtl import CLOCK_NS, RtlDevice
from verif.env.case_sequence import CaseSequence, Pauses
from verif.env.environment import Environment
from verif.env.random_bench import PausingTest
from verif.env.settings import settings_of
from verif.programs.case import Case, load_case
from verif.programs.program import Program
from verif.programs.shrink import Shrinker, Stop


class ShrinkSequence(uvm_sequence):
    """Plays each case alone, and keeps those that every scoreboard has not passed."""

    def __init__(self, folder: Path, device: RtlDevice, environment: Environment, pauses: Pauses | None) -> None:
        super().__init__("shrink")
        self.folder, self.device, self.environment, self.pauses = folder, device, environment, pauses
        self.until = time.monotonic() + float(os.environ["GA2_SECONDS"])
        self.limit = 3 * settings_of(environment).limit  # its image, itself, and what tidies up behind it
        self.used = False  # the core
        self.problems: list[str] = []

    async def body(self) -> None:
        """From case.json to the smallest; nothing is kept of a case that passes alone."""
        case = load_case(self.folder / "case.json")
        if os.environ.get("GA2_KNOWN") or await self._fails(case):
            await Shrinker(case, self._fails_in_time).shrink()

    async def _fails_in_time(self, case: Case) -> bool:
        if time.monotonic() > self.until:
            raise Stop
        return await self._fails(case)

    async def _fails(self, case: Case) -> bool:
        trying = self.folder / "trying.json"
        case.save(trying)
        if self.used:
            await self.device.reset()
            self.environment.forget(await self.device.memory())
        self.used = True
        played = CaseSequence([0], lambda _: case, self, self.pauses).start(self.sequencer)
        await with_timeout(played, self.limit * CLOCK_NS, "ns")
        if self.problems:
            number = len([*self.folder.glob("*.txt")])
            (self.folder / f"{number:06}.txt").write_text("; ".join(self.problems))
            trying.replace(self.folder / f"{number:06}.json")
        else:
            trying.unlink()
        return bool(self.problems)

    def begun(self, number: int, case: Case) -> None:
        """Nothing was found against it yet."""

    def mismatches(self) -> Sequence[str]:
        """Of every scoreboard."""
        return self.environment.mismatches()

    def ended(self, number: int, case: Case, program: Program, problems: Sequence[str]) -> None:
        """What is wrong with it."""
        self.problems = list(problems)


@pyuvm.test()
class Shrinks(PausingTest):
    """Passes whatever the cases do; it is their files that say so."""

    def build_phase(self) -> None:
        super().build_phase()
        self.settings = replace(self.settings, locate=False)  # the shortest is, by whoever replays it
        ConfigDB().set(None, "*", "SETTINGS", self.settings)

    def sequence(self) -> ShrinkSequence:
        folder, device = Path(os.environ["GA2_SHRINK"]), self.environment.csr_agent.driver.device
        return ShrinkSequence(folder, device, self.environment, self.pauses())

    def problems(self) -> list[str]:
        """None of the test itself."""
        return []
