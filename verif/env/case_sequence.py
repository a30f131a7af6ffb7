# SPDX-License-Identifier: Apache-2.0
"""Generated cases back to back, without a reset between them, up to the first that is wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pyuvm import uvm_sequence, uvm_sequencer

from verif.core.stall_profile import NEVER, Profile
from verif.env.mem_item import MemItem
from verif.env.one_item import OneItem
from verif.env.program_item import Ending, ProgramItem
from verif.programs.case import Case
from verif.programs.filling import filling_program
from verif.programs.program import Program


class Audience(Protocol):
    """Who is told of each case, and knows what the scoreboards found."""

    def begun(self, number: int, case: Case) -> None:
        """Before it is loaded."""

    def mismatches(self) -> Sequence[str]:
        """Everything that the scoreboards have found so far."""

    def ended(self, number: int, case: Case, program: Program, problems: Sequence[str]) -> None:
        """It was played; without problems it passed."""


@dataclass(frozen=True)
class Pauses:
    """How the memory waits during the case of a seed, and the sequencer of the agent that makes it."""

    profile: Callable[[int], Profile]
    sequencer: uvm_sequencer


class CaseSequence(uvm_sequence):
    """Draws and plays the numbered cases.

    What a program that was cut short leaves in the scratchpad is not defined: a program that fills it comes next.
    """

    def __init__(
        self, numbers: Sequence[int], draw: Callable[[int], Case], audience: Audience, pauses: Pauses | None = None
    ) -> None:
        super().__init__(type(self).__name__)
        self.numbers, self.draw, self.audience, self.pauses = numbers, draw, audience, pauses

    async def body(self) -> None:
        """Run them, one after another."""
        for number in self.numbers:
            case = self.draw(number)
            self.audience.begun(number, case)
            if self.pauses:
                await self._wait_like(self.pauses, self.pauses.profile(case.seed))
            item = ProgramItem.of(case)
            await OneItem(item).start(self.sequencer)
            if item.ending is not Ending.UNDISTURBED:
                if self.pauses:
                    await self._wait_like(self.pauses, NEVER)
                await OneItem(ProgramItem(filling_program(case.config))).start(self.sequencer)
            problems = self.audience.mismatches()
            self.audience.ended(number, case, item.program, problems)
            if problems:
                return

    async def _wait_like(self, pauses: Pauses, profile: Profile) -> None:
        await OneItem(MemItem(profile)).start(pauses.sequencer)
