# SPDX-License-Identifier: Apache-2.0
"""Random programs back to back, without a reset between them."""

from pyuvm import uvm_sequence

from ga2.spec import Config
from verif.env.program_item import ProgramItem
from verif.programs.draw import draw_case
from verif.programs.generator_settings import Ending

LEGAL, DISTURBED = "base", "short"  # settings


class ProgramSequence(uvm_sequence):
    """The legal programs of `count` seeds from `first_seed`."""

    def __init__(self, config: Config, first_seed: int, count: int) -> None:
        super().__init__(type(self).__name__)
        self.config, self.seeds = config, range(first_seed, first_seed + count)

    async def body(self) -> None:
        """Run them, one after another."""
        for seed in self.seeds:
            await self.legal(seed)

    async def legal(self, seed: int) -> None:
        """The seed's program, to its HALT."""
        await self.play(ProgramItem.of(draw_case(self.config, seed, LEGAL)))

    def ending(self, seed: int, ending: Ending) -> ProgramItem:
        """A run of the seed's short program, which ends as it is told."""
        return ProgramItem.of(draw_case(self.config, seed, DISTURBED, ending=ending))

    async def play(self, item: ProgramItem) -> None:
        """One item, until the driver is done with it."""
        await self.start_item(item)
        await self.finish_item(item)
