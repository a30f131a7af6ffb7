# SPDX-License-Identifier: Apache-2.0
"""A player whose guesses of a block are one program: the draft chained on the core."""

from collections.abc import Sequence

import numpy as np

from ga2.device.protocol import Device
from ga2.speculation.chip import ChipPlayer, DecodeError
from ga2.speculation.session import Session
from ga2.stimulus import CHAIN_STEPS


class ChainPlayer(ChipPlayer):
    """Guesses of a block come from the chained draft: up to `CHAIN_STEPS` of them by one program."""

    def __init__(self, device: Device, session: Session) -> None:
        super().__init__(device, session)
        self.programs = 0  # run so far

    async def propose(self, text: Sequence[int], count: int) -> tuple[int, ...]:
        """The first `count` guesses of the chain, at most `CHAIN_STEPS`."""
        if count > CHAIN_STEPS:
            raise ValueError(f"{count} guesses: the chain has {CHAIN_STEPS}")
        return tuple((await self._chain(text[-1]))[:count]) if count else ()

    async def verify(self, tokens: Sequence[int], cache_length: int) -> list[int]:
        """One run of the target."""
        self.programs += 1
        return await super().verify(tokens, cache_length)

    async def _chain(self, token: int) -> list[int]:
        program = self.session.model.programs[f"{self.session.draft_form}_chain_{CHAIN_STEPS}"]
        ids = program.inputs["ids"]
        await self.device.write(ids.address, ids.pack(np.array([[token]])))
        self.programs += 1
        result = await self.device.run(program.name, 0, 1)
        if result.fault is not None:
            raise DecodeError(f"program {program.name}: fault {result.fault.name} at pc {result.fault.pc}")
        symbols = [program.outputs[f"choice_{step}"] for step in range(CHAIN_STEPS)]
        return [int(s.unpack(await self.device.read(s.address, s.pitch))[0, 0]) for s in symbols]
