# SPDX-License-Identifier: Apache-2.0
"""Writes and commands that the core must refuse, without effect on what it is doing."""

import random
from collections.abc import Awaitable, Callable

from ga2.device.protocol import FaultReport
from ga2.spec import COUNTERS, REGISTERS
from verif.core.hostile_device import PATIENCE
from verif.core.player import Player
from verif.core.scenario import Scenario, program_with, total_cycles

PARAMETERS = tuple(name for name, register in REGISTERS.items() if register.access == "rw")
READ_ONLY = tuple(name for name, register in REGISTERS.items() if register.access == "ro")

HOLES = (0x014, 0x04C, 0x05C, 0x08C, 0x0BC, 0x0C0, 0x140, 0x1FC)
"""Some offsets without a register."""


async def _while_busy(player: Player, rng: random.Random, act: Callable[[], Awaitable[None]]) -> None:
    """Do something at a random cycle of a program, which must be right in full all the same."""
    program, outcome, _ = program_with(player, rng)
    await player.behave(rng, ready=0.7)
    await player.load(program)
    player.meaning(program)
    await player.rtl.errors()
    await player.rtl.begin("main", program.length, program.m)
    await player.rtl.cycles(rng.randrange(total_cycles(player, outcome) * 3 // 4))
    await act()
    await player.compare(program, outcome, await player.rtl.finish())


async def busy_write(player: Player, rng: random.Random, variant: int) -> None:
    """A parameter register while a program runs: refused, without effect."""
    register = PARAMETERS[variant % len(PARAMETERS)]

    async def act() -> None:
        before = await player.rtl.get(register)
        value = before ^ (1 if register == "IRQ_ENABLE" else rng.randrange(1, 1 << 32))
        assert await player.rtl.refused(REGISTERS[register].offset, value), f"{register}: no SLVERR"
        assert "busy" in await player.rtl.flags(), "the program ended too early for this scenario"
        shown = await player.rtl.errors()
        assert shown == {"busy_write"}, f"{register}: ERROR shows {shown}"
        assert await player.rtl.get(register) == before, f"{register} changed while busy"

    await _while_busy(player, rng, act)


async def read_only_write(player: Player, rng: random.Random, variant: int) -> None:
    """A read-only register, a counter or a hole in the map while a program runs: SLVERR, without effect.

    A hole is not read either.
    """
    counters = [counter.offset for counter in COUNTERS]
    offsets = [*HOLES, *(REGISTERS[name].offset for name in READ_ONLY), *counters]
    offset = offsets[variant % len(offsets)]

    async def act() -> None:
        assert await player.rtl.refused(offset, rng.getrandbits(32)), f"a write to {offset:#x}: no SLVERR"
        assert await player.rtl.errors() == set(), f"a write to {offset:#x} shows in ERROR"
        if offset in HOLES:
            assert await player.rtl.read_refused(offset), f"a read of {offset:#x}: no SLVERR, or not zero"

    await _while_busy(player, rng, act)


def busy_command(command: str, error: str) -> Scenario:
    """A command that a busy core refuses, without effect."""

    async def play(player: Player, rng: random.Random, _variant: int) -> None:
        async def act() -> None:
            assert await player.rtl.command_refused(command), f"CTRL.{command}: no SLVERR"
            assert "busy" in await player.rtl.flags(), "the program ended too early for this scenario"
            shown = await player.rtl.errors()
            assert shown == {error}, f"CTRL.{command}: ERROR shows {shown}"
            assert await player.rtl.get("CTRL") == 0, "CTRL does not read zero"

        await _while_busy(player, rng, act)

    return play


async def fault_start(player: Player, rng: random.Random, _variant: int) -> None:
    """START and LOAD after a precise fault and before CLEAR: refused, and the fault stands."""
    length = player.config.max_len + 1
    await player.behave(rng, ready=0.7)
    await player.rtl.errors()
    await player.rtl.begin(0, length, 0)
    await player.rtl.until_interrupt(PATIENCE)
    fault = FaultReport("len_m", 0, length)
    for command in ("start", "load"):
        assert await player.rtl.command_refused(command), f"CTRL.{command} was not answered with SLVERR"
        shown = await player.rtl.errors()
        assert shown == {"fault_start"}, f"CTRL.{command}: ERROR shows {shown}"
        await player.check_status_fault(fault)
    await player.clear()
