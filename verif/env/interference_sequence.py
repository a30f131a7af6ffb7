# SPDX-License-Identifier: Apache-2.0
"""Programs that the host cuts short, each followed by one that must be right."""

import random

from ga2.spec import Config
from verif.env.program_item import Ending
from verif.env.program_sequence import ProgramSequence

WATCHDOG_PERIODS = (1, 4)  # shorter than the first fetch and check: it always fires
FILL_CYCLES = 4000  # a random program's prologue takes a little more


class InterferenceSequence(ProgramSequence):
    """Each seed's program is ended by `ending` (abort, watchdog or reset) at a random time; then it runs to its end."""

    def __init__(self, config: Config, first_seed: int, count: int, ending: Ending) -> None:
        super().__init__(config, first_seed, count)
        self.ending = ending

    async def body(self) -> None:
        """Interfere, then leave alone."""
        for index, seed in enumerate(self.seeds):
            await self.play(seed, self.ending, self._cycles(random.Random(seed), late=index % 2 == 1))
            await self.play(seed)

    def _cycles(self, rng: random.Random, late: bool) -> int:
        """When to interfere: certainly while the program runs, or `late`, when a short one may have ended."""
        if self.ending is Ending.WATCHDOG:
            return rng.randint(*WATCHDOG_PERIODS)
        return FILL_CYCLES + rng.randint(100, 1000) if late else rng.randint(1, FILL_CYCLES)
