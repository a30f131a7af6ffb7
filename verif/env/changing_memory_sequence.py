# SPDX-License-Identifier: Apache-2.0
"""A virtual sequence: the memory changes its manners in the middle of programs, and a reset cuts one short."""

import random

import cocotb
from pyuvm import uvm_sequence

from verif.core.stall_profile import ALWAYS_READY, profile
from verif.env.mem_item import MemItem
from verif.env.one_item import OneItem
from verif.env.program_item import OUTSIDE, Ending, ProgramItem
from verif.env.reset_item import ResetItem
from verif.env.settings import Settings
from verif.env.virtual_sequencer import VirtualSequencer
from verif.programs.draw import random_program
from verif.programs.filling import filling_program

CERTAIN = 350  # cycles: the words that the prologue of any program loads
MANNERS = ("short pauses", "every other cycle", "each its own", "bursty")


class ChangingMemorySequence(uvm_sequence):
    """Of each seed: a program whose memory starts to pause and stops again; one that a reset cuts short while the
    memory pauses; then one that must be right in full, on the memory as the reset found it.
    """

    sequencer: VirtualSequencer

    def __init__(self, settings: Settings) -> None:
        super().__init__("changing memory")
        self.settings = settings

    async def body(self) -> None:
        """One seed after the other."""
        first = self.settings.first_seed
        for seed in range(first, first + self.settings.programs):
            await self._seed(seed, random.Random(seed))

    async def _seed(self, seed: int, rng: random.Random) -> None:
        changes = cocotb.start_soon(self._changes(rng, [ALWAYS_READY, *rng.sample(MANNERS, 2), ALWAYS_READY]))
        await OneItem(self._item(seed)).start(self.sequencer.csr)
        await changes
        await OneItem(MemItem(profile(rng.choice(MANNERS), rng))).start(self.sequencer.mem)
        item = self._item(seed, Ending.RESET)
        reset = cocotb.start_soon(self._reset(item, rng.randint(1, CERTAIN)))
        await OneItem(item).start(self.sequencer.csr)
        await reset
        await OneItem(ProgramItem(filling_program(self.settings.config.name))).start(self.sequencer.csr)
        await OneItem(self._item(seed)).start(self.sequencer.csr)

    def _item(self, seed: int, ending: Ending = Ending.UNDISTURBED) -> ProgramItem:
        return ProgramItem(random_program(self.settings.config, seed, "short"), ending, OUTSIDE)

    async def _reset(self, item: ProgramItem, delay: int) -> None:
        await item.started.wait()
        await OneItem(ResetItem(delay)).start(self.sequencer.reset)

    async def _changes(self, rng: random.Random, names: list[str]) -> None:
        for name in names:
            item = MemItem(profile(name, rng), delay=rng.randint(CERTAIN // 8, CERTAIN // 2))
            await OneItem(item).start(self.sequencer.mem)
