# SPDX-License-Identifier: Apache-2.0
"""The directed programs in a simulation (`verif.core.campaign_bench`), on a memory that never waits."""

import random

import cocotb

from verif.core.campaign_bench import play_all
from verif.core.player import Player
from verif.coverage.directed import directed_program, names

NAMES = tuple(names())


def name_of(number: int) -> str:
    """Program `number`, modulo their number."""
    return NAMES[number % len(NAMES)]


async def play(player: Player, seed: int, number: int) -> None:
    """Trace, bytes, guards and counters are the models'."""
    await player.behave(random.Random(seed), ready=1.0)
    program = directed_program(player.config, name_of(number))
    await player.load(program)
    await player.run_compared(program)


@cocotb.test()
async def directed_programs(dut) -> None:
    """Each in full."""
    await play_all(dut, name_of, play)
