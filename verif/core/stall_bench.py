# SPDX-License-Identifier: Apache-2.0
"""The stall campaign's programs in a simulation (`campaign_bench`)."""

import random
from typing import Any

import cocotb

from ga2.timing.model import predict
from verif.core.campaign_bench import play_all
from verif.core.player import Player
from verif.core.stall_bounds import bounds, violations
from verif.core.stall_profile import SHAPES, profile
from verif.programs.draw import random_program

HOST_PAUSES = (0.0, 0.3, 0.7)  # how often a channel of the control port waits, in turn
NAMES = tuple(SHAPES)


def name_of(number: int) -> str:
    """How the memory of program `number` waits."""
    return NAMES[number % len(NAMES)]


async def play(player: Player, seed: int, number: int) -> dict[str, Any]:
    """Program `number`: fault, trace and bytes are golden's, every counter lies within its bounds."""
    rng = random.Random(f"{seed}/{number}")
    await player.pause(profile(name_of(number), rng, HOST_PAUSES[number // len(NAMES) % len(HOST_PAUSES)]))
    program = random_program(player.config, rng.getrandbits(32))
    await player.load(program)
    outcome = player.meaning(program)
    before = player.rtl.held()
    await player.rtl.begin("main", program.length, program.m)
    await player.rtl.until_interrupt(10**6)
    held = player.rtl.held().since(before)
    result = await player.rtl.finish()
    await player.compare(program, outcome, result)
    found = violations(result.counters, bounds(player.config, outcome, held))
    assert not found, f"held {held}: {'; '.join(found)}"
    unstalled = predict(player.config, outcome)["total"]
    return {**result.counters, "cycles": result.counters["total"], "unstalled": unstalled, "held": held.any}


@cocotb.test()
async def stalled_programs(dut) -> None:
    """Each program on its memory."""
    await play_all(dut, name_of, play)
