# SPDX-License-Identifier: Apache-2.0
"""What the scenarios of the fault campaign share: programs to disturb, and what must hold in the end."""

import random
from collections.abc import Awaitable, Callable

from ga2.device.protocol import FaultReport
from ga2.golden.interpreter import Core, Outcome
from ga2.isa.encoding import Dim, Ext, Instruction, Operand, encode
from ga2.timing.model import predict
from verif.core.hostile_device import PATIENCE
from verif.core.player import Player, put, run_golden
from verif.core.watched_memory import WatchedMemory
from verif.env.retirement import Retirement
from verif.programs.draw import random_program
from verif.programs.drawing import Drawing
from verif.programs.endings import HALT
from verif.programs.layout import FILL, FILL_ADDRESS, SCRATCH, SCRATCH_ADDRESS, TABLE
from verif.programs.program import IMAGE_ADDRESS, MEMORY_BYTES, Program

Scenario = Callable[[Player, random.Random, int], Awaitable[None]]
"""Gets a random generator of its own and `variant`, which counts its repetitions; leaves the core idle and cleared."""
Access = tuple[str, int, int]  # kind, address, bytes
SETTINGS = "short"  # of the programs that are disturbed
SCATTERED_ROWS = 500


def alone(player: Player, program: Program) -> tuple[Outcome, list[Access]]:
    """How a program ends undisturbed, and what it reads and writes, on a golden model of its own."""
    memory = WatchedMemory(MEMORY_BYTES)
    put(memory, program)
    outcome = run_golden(Core(player.config), memory, program)
    return outcome, list(memory.accesses)


def program_with(player: Player, rng: random.Random, kind: str = "read") -> tuple[Program, Outcome, list[Access]]:
    """A legal program whose own instructions (its prologue aside) read or write; its end and its accesses."""
    while True:
        program = random_program(player.config, rng.getrandbits(32), SETTINGS)
        outcome, accesses = alone(player, program)
        if any(access[0] == kind for access in own(accesses)):
            return program, outcome, accesses


def own(accesses: list[Access]) -> list[Access]:
    """Those beyond the region from which the prologue loads."""
    return [each for each in accesses if each[1] < FILL_ADDRESS or each[1] >= SCRATCH_ADDRESS]


def total_cycles(player: Player, outcome: Outcome) -> int:
    """Cycles of a run on a memory that never waits."""
    return predict(player.config, outcome)["total"]


def patience(player: Player, outcome: Outcome) -> int:
    """Cycles within which a program must have ended on a memory that pauses mildly."""
    return PATIENCE + 20 * total_cycles(player, outcome)


def scattered(player: Player, rng: random.Random) -> tuple[Program, Outcome, int]:
    """A program that ends with loads and stores of one word a burst, how it ends, and their rough duration in cycles.

    The burst engines make a burst in most cycles then, so that an abort meets one in the making.
    """
    half = player.config.spad_words // 2
    whole = {"rows": Dim(1), "words": Dim(SCATTERED_ROWS)}
    rows = {"rows": Dim(SCATTERED_ROWS), "words": Dim(1)}
    fill = Instruction("LD", {**whole, "dst": Operand(0, SCATTERED_ROWS), "ext": Ext(0, SCATTERED_ROWS, FILL)})
    load = Instruction("LD", {**rows, "dst": Operand(half, 1), "ext": Ext(rng.randrange(16), 2, TABLE)})
    store = Instruction("ST", {**rows, "src": Operand(0, 1), "ext": Ext(rng.randrange(16), 2, SCRATCH)})
    body = [fill, *rng.choice([[load], [store], [load, store], [store, load]])]
    drawing = Drawing(player.config, rng.getrandbits(32), SETTINGS, rng, spare=False)
    program = drawing.case([*map(encode, body), HALT]).to_program()
    outcome, _ = alone(player, program)
    return program, outcome, SCATTERED_ROWS


async def stopped(player: Player, program: Program, fault: FaultReport, expected: list[Retirement]) -> None:
    """The program has stopped with this fault, as it must; then errors and stuck channels end, and CLEAR is obeyed."""
    await player.check_stopped(program, fault, expected)
    player.rtl.heal()
    await player.clear()


async def start_load(player: Player, program: Program) -> None:
    """LOAD the program's image."""
    await player.rtl.write(IMAGE_ADDRESS, program.image.memory_bytes())
    await player.rtl.begin_load(program.image, IMAGE_ADDRESS)


async def refuse_while_outstanding(player: Player, fault: FaultReport) -> None:
    """CLEAR is refused while a burst is outstanding, START and LOAD while the fault stands; nothing changes."""
    assert player.rtl.bus_outstanding and "outstanding" in await player.rtl.flags(), "nothing is outstanding"
    await player.rtl.errors()
    for command, error in (("clear", "clear_refused"), ("start", "fault_start"), ("load", "fault_start")):
        assert await player.rtl.command_refused(command), f"CTRL.{command} was not answered with SLVERR"
        shown = await player.rtl.errors()
        assert shown == {error}, f"CTRL.{command}: ERROR shows {shown}, must be {error}"
        await player.check_status_fault(fault)
