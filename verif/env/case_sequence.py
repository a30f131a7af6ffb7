# SPDX-License-Identifier: Apache-2.0
"""Generated cases back to back, without a reset between them, up to the first that is wrong."""

from collections.abc import Callable, Sequence

from pyuvm import uvm_sequence

from verif.env.program_item import Ending, ProgramItem
from verif.programs.case import Case
from verif.programs.filling import filling_program
from verif.programs.program import Program

Draw = Callable[[int], Case]
Report = Callable[[int, Case], None]
ENDINGS = {"abort": Ending.ABORT, "watchdog": Ending.WATCHDOG, "reset": Ending.RESET}


class CaseSequence(uvm_sequence):
    """Draws and plays the numbered cases. `begun` is told before each, `passed` after it if nothing was wrong.

    What a program that was cut short leaves in the scratchpad is not defined: a program that fills it comes next.
    `problems` says what the scoreboards have against the programs so far.
    """

    def __init__(
        self, numbers: Sequence[int], draw: Draw, begun: Report, passed: Report, problems: Callable[[], Sequence[str]]
    ) -> None:
        super().__init__(type(self).__name__)
        self.numbers, self.draw, self.begun, self.passed, self.problems = numbers, draw, begun, passed, problems

    async def body(self) -> None:
        """Run them, one after another."""
        for number in self.numbers:
            case = self.draw(number)
            self.begun(number, case)
            ending = ENDINGS.get(case.end.kind, Ending.UNDISTURBED)
            await self._play(case.to_program(), ending, case.end.cycles)
            if ending is not Ending.UNDISTURBED:
                await self._play(filling_program(case.config))
            if self.problems():
                return
            self.passed(number, case)

    async def _play(self, program: Program, ending: Ending = Ending.UNDISTURBED, cycles: int = 0) -> None:
        item = ProgramItem(program, ending, cycles)
        await self.start_item(item)
        await self.finish_item(item)
