# SPDX-License-Identifier: Apache-2.0
"""A whole speculative block as one program: the guesses are chained on the core, and the target follows at once.

The host writes the last committed token, starts the program that makes as many guesses as are wanted, and reads the
guesses and the choices. The accept rule stays with the host.
"""

from collections.abc import Callable, Sequence

from capra import Program
from ga2.device.protocol import Device
from ga2.speculation.accept import Block
from ga2.speculation.chip import ChipPlayer, ProgramRun
from ga2.speculation.session import Session


class BlockPlayer(ChipPlayer):
    """Blocks as programs. A block without guesses is a plain step; one that the model has no program for, because the
    cache is nearly full or the instruction memory was, is a program a guess and one for the target."""

    async def block(self, text: Sequence[int], count: int, cache_length: int) -> Block:
        """One round on `cache_length` cached rows. DecodeError on a fault, or for an id that is no token."""
        program = self.session.block(count)
        if program is None:
            return await super().block(text, count, cache_length)
        return await self.run_block(program, text[-1], count, cache_length)

    async def run_block(self, program: Program, last: int, count: int, length: int) -> Block:
        """One run of a block's program. M is its number of rows, so that LEN + M is checked against MAX_LEN."""
        m = count + 1
        await self.give(program, "last", [last])
        result = await self.finish(program, length, m)
        guesses = tuple(await self.ids(program, "guesses", length, m, count))
        block = Block(last, guesses, tuple(await self.ids(program, "choice", length, m)))
        self.runs.append(ProgramRun(program.name, length, block.rows, block.choices, result, guesses))
        return block


FORMS: dict[str, Callable[[Device, Session], ChipPlayer]] = {"separate": ChipPlayer, "block": BlockPlayer}
"""How a block becomes programs, by the name that the command line has for it."""
