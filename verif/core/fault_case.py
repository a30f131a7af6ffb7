# SPDX-License-Identifier: Apache-2.0
"""The numbered cases of the fault campaign: every second one is a precise fault, the others all else, in turn."""

import random

from verif.core import precise_programs
from verif.core.fault_kinds import KINDS
from verif.core.player import Player

OTHERS = tuple(KINDS)


def name_of(number: int) -> str:
    """What case `number` is about."""
    half = number // 2
    if number % 2:
        return OTHERS[half % len(OTHERS)]
    fault, _, place = precise_programs.names()[half % precise_programs.COUNT].partition(" ")
    return f"{fault}: {place}"


async def play(player: Player, seed: int, number: int) -> None:
    """Case `number` of a campaign's seed, then a program that must be right in full; AssertionError says what is not.

    A case depends on nothing but its number and the seed.
    """
    rng = random.Random(f"{seed}/{number}")
    half = number // 2
    if number % 2:
        kind, variant = OTHERS[half % len(OTHERS)], half // len(OTHERS)
        await KINDS[kind](player, rng, variant)
        player.coverage.scenario(kind, variant)
    else:
        case = precise_programs.precise_program(player.config, half, rng)
        await player.behave(rng, ready=0.75)
        await player.load(case.program)
        await player.run_compared(case.program, case.entry)
    await player.run_next(rng)
