# SPDX-License-Identifier: Apache-2.0
"""Random programs back to back, without a reset between them."""

from pyuvm import uvm_sequence

from ga2.spec import Config
from verif.core.random_programs import random_program
from verif.env.program_item import Ending, ProgramItem

LEGAL_LENGTH, FAULTY_LENGTH = 30, 6  # random instructions


class ProgramSequence(uvm_sequence):
    """The legal programs of `count` seeds from `first_seed`."""

    def __init__(self, config: Config, first_seed: int, count: int) -> None:
        super().__init__(type(self).__name__)
        self.config, self.seeds = config, range(first_seed, first_seed + count)

    async def body(self) -> None:
        """Run them, one after another."""
        for seed in self.seeds:
            await self.play(seed)

    async def play(
        self, seed: int, ending: Ending = Ending.UNDISTURBED, cycles: int = 0, faulty: bool = False
    ) -> None:
        """One program, until the driver is done with it."""
        program = random_program(self.config, seed, FAULTY_LENGTH if faulty else LEGAL_LENGTH, faulty)
        item = ProgramItem(program, ending, cycles)
        await self.start_item(item)
        await self.finish_item(item)
