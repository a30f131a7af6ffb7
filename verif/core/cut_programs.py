# SPDX-License-Identifier: Apache-2.0
"""Programs that are cut short: by the watchdog on a memory that never answers, by abort, by reset."""

import random

from ga2.device.protocol import FaultReport
from ga2.device.rtl import WATCHDOG_CYCLES
from ga2.golden.interpreter import Outcome
from verif.core.hostile_device import PATIENCE
from verif.core.player import Player, check_trace
from verif.core.refused_commands import PARAMETERS
from verif.core.scenario import (
    Scenario,
    patience,
    program_with,
    refuse_while_outstanding,
    scattered,
    start_load,
    total_cycles,
)
from verif.env.retirement import expected_retirements
from verif.programs.program import Program

PERIODS = (120, 600)  # cycles of the watchdog: a unit may rest for some tens between two signs of progress


def watchdog(channel: str) -> Scenario:
    """A channel that never answers: from the start, or from a random cycle on if the program still needs it then."""

    async def play(player: Player, rng: random.Random, variant: int) -> None:
        program, outcome, _ = program_with(player, rng, "read" if channel in ("AR", "R") else "write")
        period = rng.randint(*PERIODS)
        await player.behave(rng, ready=1.0)
        await player.load(program)
        await player.rtl.set("WATCHDOG", period)
        cycle = rng.randrange(total_cycles(player, outcome))
        if variant % 2 or not await _stalls(player, program, outcome, channel, cycle):
            await player.load(program)
            assert await _stalls(player, program, outcome, channel, 0), "the program did without the stuck channel"
        await _end_of_stall(player, program, outcome, period)
        await player.rtl.set("WATCHDOG", WATCHDOG_CYCLES)

    return play


async def _stalls(player: Player, program: Program, outcome: Outcome, channel: str, cycle: int) -> bool:
    """Run a program whose channel sticks from a cycle on; False if it ended by itself, and then right in full."""
    player.meaning(program)
    if cycle == 0:
        player.rtl.stick(channel)
    await player.rtl.begin("main", program.length, program.m)
    await player.rtl.cycles(cycle)
    player.rtl.stick(channel)
    await player.rtl.until_interrupt(2 * total_cycles(player, outcome) + PERIODS[1] + PATIENCE)
    if "fault" in await player.rtl.flags():
        return True
    player.rtl.heal()
    await player.compare(program, outcome, await player.rtl.finish())
    return False


async def _end_of_stall(player: Player, program: Program, outcome: Outcome, period: int) -> None:
    """The watchdog has ended the program, not before its period."""
    expected = list(expected_retirements(outcome))
    end = await player.rtl.end_cycle() - 1
    shown = player.trace.records()
    assert not shown or end - shown[-1].cycle >= period, f"watchdog {end - shown[-1].cycle} cycles after a retirement"
    fault = FaultReport("watchdog", player.oldest_pc(expected, end), 0)
    await player.check_stopped(program, fault, expected)
    await refuse_while_outstanding(player, fault)
    player.rtl.heal()
    await player.clear()


async def watchdog_load(player: Player, rng: random.Random, _variant: int) -> None:
    """The memory never answers the image."""
    program, *_ = program_with(player, rng)
    await player.place(program)
    await player.behave(rng, ready=1.0)
    await player.rtl.set("WATCHDOG", rng.randint(*PERIODS))
    player.rtl.stick(rng.choice(["AR", "R"]))
    await start_load(player, program)
    await player.rtl.until_interrupt(PATIENCE)
    fault = FaultReport("watchdog", 0, 0)
    await player.check_status_fault(fault)
    await refuse_while_outstanding(player, fault)
    player.rtl.heal()
    await player.clear()
    await player.rtl.set("WATCHDOG", WATCHDOG_CYCLES)


def abort(channels: tuple[str, ...] = ()) -> Scenario:
    """Abort at a random cycle, every second time amid short bursts; with `channels`, when one has been stuck."""

    async def play(player: Player, rng: random.Random, variant: int) -> None:
        stuck = channels[variant % len(channels)] if channels else ""
        kind = "write" if stuck in ("AW", "W", "B") else "read"
        program, outcome, _ = program_with(player, rng, kind)
        when = 2 * total_cycles(player, outcome) if stuck else rng.randrange(total_cycles(player, outcome))
        if not stuck and variant % 2:
            program, outcome, busy = scattered(player, rng)
            when = total_cycles(player, outcome) - rng.randrange(10, busy)
        expected = list(expected_retirements(outcome))
        await player.behave(rng, ready=1.0 if stuck or variant % 2 else 0.5)
        await player.load(program)
        player.meaning(program)
        if stuck:
            player.rtl.stick(stuck)
        await player.rtl.begin("main", program.length, program.m)
        await player.rtl.cycles(when)
        await player.rtl.abort()
        await player.rtl.until_interrupt(patience(player, outcome))
        if "fault" not in await player.rtl.flags():  # it was faster
            await player.compare(program, outcome, await player.rtl.finish())
            return
        fault = FaultReport("abort", player.oldest_pc(expected, await player.rtl.end_cycle() - 1), 0)
        await player.check_stopped(program, fault, expected)
        if stuck:
            await refuse_while_outstanding(player, fault)
        player.rtl.heal()
        await player.clear()

    return play


async def reset(player: Player, rng: random.Random, _variant: int) -> None:
    """Reset at a random cycle: registers and counters as after power-up, memories as they are."""
    program, outcome, _ = program_with(player, rng)
    await player.behave(rng, ready=0.5)
    await player.load(program)
    player.meaning(program)
    await player.rtl.begin("main", program.length, program.m)
    await player.rtl.cycles(rng.randrange(total_cycles(player, outcome)))
    await player.rtl.reset()
    expected = expected_retirements(outcome)
    check_trace(player.trace.records(), expected)
    assert await player.rtl.get("STATUS") == 0, "STATUS is not zero after reset"
    for register in (*PARAMETERS, "ERROR", "FAULT_CODE", "FAULT_PC", "FAULT_ADDR"):
        usual = {"WATCHDOG": WATCHDOG_CYCLES, "IRQ_ENABLE": 1}.get(register, 0)  # the device sets these two
        assert await player.rtl.get(register) == usual, f"{register} is not {usual} after reset"
    await player.check_untouched(program)
    player.coverage.cut("reset", player.trace.records(), len(expected))
