# SPDX-License-Identifier: Apache-2.0
"""Programs that stop at a precise fault, each followed by one that must be right."""

from verif.env.program_sequence import ProgramSequence


class FaultySequence(ProgramSequence):
    """Each seed's faulty program, then its legal one."""

    async def body(self) -> None:
        """Fault, then run to the end."""
        for seed in self.seeds:
            await self.play(self.ending(seed, "fault"))
            await self.legal(seed)
