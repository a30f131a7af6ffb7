# SPDX-License-Identifier: Apache-2.0
"""The numbered cases of the fault campaign: every second one is a precise fault, the others all else, in turn.

Behind each comes a program that must be right in full.
"""

import random

from ga2.spec import ISA
from verif.core import precise_programs
from verif.core.fault_kinds import KINDS
from verif.core.player import Player
from verif.core.precise_targets import TARGETS
from verif.core.stall_profile import NEVER
from verif.programs.draw import random_program
from verif.programs.filling import HALT, filling_program

OTHERS = tuple(KINDS)
NEXT = "short"  # settings of the legal program after a case
UNKNOWN = tuple(code for code in range(256) if code not in ISA.by_opcode)  # a word's lowest byte is its opcode


def name_of(number: int) -> str:
    """What case `number` is about."""
    half = number // 2
    if number % 2:
        return OTHERS[half % len(OTHERS)]
    fault, _, place = precise_programs.names()[half % precise_programs.COUNT].partition(" ")
    return f"{fault}: {place}"


async def play(player: Player, seed: int, number: int) -> None:
    """Case `number` of a campaign's seed, then the next program; AssertionError says what is not as it must be.

    A case depends on nothing but its number and the seed. What the programs after it meet is in turn HALT, a fault. Of
    the scratchpad that a program leaves when it is cut short nothing is known: the first of them fills it.
    """
    rng = random.Random(f"{seed}/{number}")
    half = number // 2
    if number % 2:
        kind, variant = OTHERS[half % len(OTHERS)], half // len(OTHERS)
        await KINDS[kind](player, rng, variant)
        player.coverage.scenario(kind, variant)
        faulty = variant % 2 == 1
    else:
        await _precise(player, rng, half, ready=0.75)
        faulty = False
    try:
        if number % 2:
            await _filled(player, UNKNOWN[half % len(UNKNOWN)] if faulty else HALT)
        await (_precise(player, rng, half % len(TARGETS), ready=0.7) if faulty else _legal(player, rng))
    except AssertionError as error:
        raise AssertionError(f"the next program: {error}") from None


async def _precise(player: Player, rng: random.Random, index: int, ready: float) -> None:
    """The index-th kind of precise fault."""
    case = precise_programs.precise_program(player.config, index, rng)
    await player.behave(rng, ready)
    await player.load(case.program)
    await player.run_compared(case.program, case.entry)


async def _filled(player: Player, last: int) -> None:
    """The whole scratchpad is written, on a memory that never waits; the last word ends the program."""
    await player.pause(NEVER)
    program = filling_program(player.config.name, last)
    await player.load(program)
    await player.run_compared(program)


async def _legal(player: Player, rng: random.Random) -> None:
    """A program that ends with HALT."""
    await player.behave(rng, ready=0.7)
    program = random_program(player.config, rng.getrandbits(32), NEXT)
    await player.load(program)
    await player.run_compared(program)
