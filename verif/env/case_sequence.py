# SPDX-License-Identifier: Apache-2.0
"""Generated cases back to back, without a reset between them, up to the first that is wrong."""

from collections.abc import Callable, Sequence
from typing import Protocol

from pyuvm import uvm_sequence

from verif.env.program_item import Ending, ProgramItem
from verif.programs.case import Case
from verif.programs.filling import filling_program
from verif.programs.program import Program

ENDINGS = {"abort": Ending.ABORT, "watchdog": Ending.WATCHDOG, "reset": Ending.RESET}


class Audience(Protocol):
    """Who is told of each case, and knows what the scoreboards found."""

    def begun(self, number: int, case: Case) -> None:
        """Before it is loaded."""

    def mismatches(self) -> Sequence[str]:
        """Everything that the scoreboards have found so far."""

    def ended(self, number: int, case: Case, problems: Sequence[str]) -> None:
        """It was played; without problems it passed."""


class CaseSequence(uvm_sequence):
    """Draws and plays the numbered cases.

    What a program that was cut short leaves in the scratchpad is not defined: a program that fills it comes next.
    """

    def __init__(self, numbers: Sequence[int], draw: Callable[[int], Case], audience: Audience) -> None:
        super().__init__(type(self).__name__)
        self.numbers, self.draw, self.audience = numbers, draw, audience

    async def body(self) -> None:
        """Run them, one after another."""
        for number in self.numbers:
            case = self.draw(number)
            self.audience.begun(number, case)
            ending = ENDINGS.get(case.end.kind, Ending.UNDISTURBED)
            await self._play(case.to_program(), ending, case.end.cycles)
            if ending is not Ending.UNDISTURBED:
                await self._play(filling_program(case.config))
            problems = self.audience.mismatches()
            self.audience.ended(number, case, problems)
            if problems:
                return

    async def _play(self, program: Program, ending: Ending = Ending.UNDISTURBED, cycles: int = 0) -> None:
        item = ProgramItem(program, ending, cycles)
        await self.start_item(item)
        await self.finish_item(item)
