# SPDX-License-Identifier: Apache-2.0
"""Programs that the host cuts short, each followed by one that must be right."""

from ga2.spec import Config
from verif.env.program_item import ProgramItem
from verif.env.program_sequence import ProgramSequence
from verif.programs.filling import filling_program
from verif.programs.generator_settings import Ending


class InterferenceSequence(ProgramSequence):
    """Each seed's program is cut by `cut` (abort, watchdog or reset) at a random time, now and then just after its end.

    Every other one is cut at half that time, certainly before its end. The scratchpad that is left then is not defined:
    a program that fills it comes before the one that must be right.
    """

    def __init__(self, config: Config, first_seed: int, count: int, cut: Ending) -> None:
        super().__init__(config, first_seed, count)
        self.cut = cut

    async def body(self) -> None:
        """Interfere, then leave alone."""
        for index, seed in enumerate(self.seeds):
            item = self.ending(seed, self.cut)
            if index % 2 == 0:
                item.cycles = max(1, item.cycles // 2)
            await self.play(item)
            await self.play(ProgramItem(filling_program(self.config.name)))
            await self.legal(seed)
