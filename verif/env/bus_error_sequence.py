# SPDX-License-Identifier: Apache-2.0
"""A virtual sequence: the memory answers with an error in the middle of a program, and then no more."""

import random

from pyuvm import uvm_sequence

from ga2.golden.interpreter import Core
from verif.core.player import put, run_golden
from verif.core.stall_profile import profile
from verif.core.watched_memory import WatchedMemory
from verif.env.mem_item import MemItem
from verif.env.one_item import OneItem
from verif.env.program_item import BusError, Ending, ProgramItem
from verif.env.settings import Settings
from verif.env.virtual_sequencer import VirtualSequencer
from verif.programs.draw import random_program
from verif.programs.filling import filling_program
from verif.programs.program import Program

KINDS = ("read", "write")
RESPONSES = ("slverr", "decerr")


class BusErrorSequence(uvm_sequence):
    """Of each seed: a program with an error at a random read, or write, of its own; then, the scratchpad filled anew,
    the same without one.
    """

    sequencer: VirtualSequencer

    def __init__(self, settings: Settings) -> None:
        super().__init__("bus errors")
        self.settings = settings

    async def body(self) -> None:
        """One seed after the other."""
        first = self.settings.first_seed
        for seed in range(first, first + self.settings.programs):
            rng = random.Random(seed)
            program = random_program(self.settings.config, seed, "short")
            for kind in KINDS:
                if bad := self._bad(program, kind, rng):
                    await self._play(program, rng, bad)
            await self._play(filling_program(self.settings.config.name), rng, None)
            await self._play(program, rng, None)

    async def _play(self, program: Program, rng: random.Random, bad: BusError | None) -> None:
        ending = Ending.BUS_ERROR if bad else Ending.UNDISTURBED
        await OneItem(MemItem(profile("short pauses", rng), bad=bad)).start(self.sequencer.mem)
        await OneItem(ProgramItem(program, ending, bad=bad)).start(self.sequencer.csr)

    def _bad(self, program: Program, kind: str, rng: random.Random) -> BusError | None:
        """A beat that the program reads or writes, if it does; from a run on a golden model of its own."""
        memory = WatchedMemory(self.settings.memory_bytes)
        put(memory, program)
        run_golden(Core(self.settings.config), memory, program)
        touched = [(at, size) for what, at, size in memory.accesses if what == kind]
        if not touched:
            return None
        start, size = rng.choice(touched)
        return BusError(kind, rng.randrange(start, start + size, self.settings.config.bus_bytes), rng.choice(RESPONSES))
