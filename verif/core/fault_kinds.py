# SPDX-License-Identifier: Apache-2.0
"""The imprecise faults and what the host must not do: one scenario a kind, each played on a `Player`.

A scenario gets a random generator of its own and `variant`, which counts its repetitions: it walks through positions
(beats, rows, registers), so that many repetitions reach each of them. It leaves the core idle and cleared.
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace

from ga2.device.protocol import FaultReport
from ga2.device.rtl import WATCHDOG_CYCLES
from ga2.golden.interpreter import Core, Outcome
from ga2.isa.encoding import Dim, Ext, Instruction, Operand, encode
from ga2.spec import COUNTERS, REGISTERS
from ga2.timing.model import predict
from verif.core.hostile_device import PATIENCE
from verif.core.player import Player, check_trace, put, run_golden
from verif.core.precise_programs import HALT
from verif.core.random_programs import (
    FILL_ADDRESS,
    IDS_BELOW,
    IMAGE_ADDRESS,
    MEMORY_BYTES,
    SCRATCH_ADDRESS,
    Generator,
    RandomProgram,
    finished,
    random_program,
)
from verif.core.stall_profile import CHANNELS
from verif.core.watched_memory import WatchedMemory
from verif.env.retirement import Retirement, expected_retirements

Scenario = Callable[[Player, random.Random, int], Awaitable[None]]
Access = tuple[str, int, int]  # kind, address, bytes
LENGTH = 10  # random instructions of a program that is cut short
GATHER_ROWS = 8
PERIODS = (120, 600)  # cycles of the watchdog: a unit may rest for some tens between two signs of progress


def _alone(player: Player, program: RandomProgram) -> tuple[Outcome, list[Access]]:
    """How a program ends undisturbed, and what it reads and writes, on a golden model of its own."""
    memory = WatchedMemory(MEMORY_BYTES)
    put(memory, program)
    outcome = run_golden(Core(player.config), memory, program)
    return outcome, list(memory.accesses)


def _program(player: Player, rng: random.Random, kind: str = "read") -> tuple[RandomProgram, Outcome, list[Access]]:
    """A legal program whose own instructions (its prologue aside) read or write; its end and its accesses."""
    while True:
        program = random_program(player.config, rng.getrandbits(32), LENGTH)
        outcome, accesses = _alone(player, program)
        if any(access[0] == kind for access in _own(accesses)):
            return program, outcome, accesses


def _own(accesses: list[Access]) -> list[Access]:
    return [each for each in accesses if each[1] < FILL_ADDRESS or each[1] >= SCRATCH_ADDRESS]


def _total(player: Player, outcome: Outcome) -> int:
    return predict(player.config, outcome)["total"]


SCATTERED_ROWS = 500


def _scattered(player: Player, rng: random.Random) -> tuple[RandomProgram, Outcome, int]:
    """A program that ends with loads and stores of one word a burst, how it ends, and their rough duration in cycles.

    The burst engines make a burst in most cycles then, so that an abort meets one in the making.
    """
    seed = rng.getrandbits(32)
    generator = Generator(player.config, seed)
    half = player.config.spad_words // 2
    rows = {"rows": Dim(SCATTERED_ROWS), "words": Dim(1)}
    load = encode(Instruction("LD", {**rows, "dst": Operand(half, 1), "ext": Ext(rng.randrange(16), 2, 0)}))
    store = encode(Instruction("ST", {**rows, "src": Operand(0, 1), "ext": Ext(rng.randrange(16), 2, 1)}))
    body = generator.prologue() + rng.choice([[load], [store], [load, store], [store, load]])
    program = finished(generator, seed, [*body, HALT])
    outcome, _ = _alone(player, program)
    return program, outcome, SCATTERED_ROWS


async def _stopped(player: Player, program: RandomProgram, fault: FaultReport, expected: list[Retirement]) -> None:
    await player.check_stopped(program, fault, expected)
    player.rtl.heal()
    await player.clear()


def _bus_error(kind: str, response: str) -> Scenario:
    """SLVERR or DECERR on the beat (a write: the burst) that the variant names; one in four lies in the prologue."""

    async def play(player: Player, rng: random.Random, variant: int) -> None:
        program, outcome, accesses = _program(player, rng, kind)
        chosen = accesses if variant % 4 == 3 else _own(accesses)
        bus = player.config.bus_bytes
        beats = [at for each in chosen if each[0] == kind for at in range(each[1], each[1] + each[2], bus)]
        bad = beats[rng.randrange(len(beats)) if variant % 4 == 3 else variant % len(beats)]
        await player.behave(rng, ready=0.4)
        await player.load(program)
        player.memory.bad = (kind, bad)
        player.rtl.fail(kind, bad, response)
        fault = player.meaning(program).fault
        player.memory.bad = None
        assert fault is not None
        await player.rtl.begin("main", program.length, program.m)
        await player.rtl.until_interrupt(_patience(player, outcome))
        fault = replace(fault, name=f"{kind}_{response}")
        await _stopped(player, program, fault, list(expected_retirements(outcome)))

    return play


def _patience(player: Player, outcome: Outcome) -> int:
    """Cycles within which a program must have ended on a memory that pauses mildly."""
    return PATIENCE + 20 * _total(player, outcome)


async def _start_load(player: Player, program: RandomProgram) -> None:
    """LOAD the program's image."""
    await player.rtl.write(IMAGE_ADDRESS, program.image.memory_bytes())
    await player.rtl.begin_load(program.image, IMAGE_ADDRESS)


def _load_error(response: str) -> Scenario:
    """An error on the beat of the image that the variant names."""

    async def play(player: Player, rng: random.Random, variant: int) -> None:
        program, *_ = _program(player, rng)
        put(player.memory, program)
        for address, data in program.memory.items():
            await player.rtl.write(address, data)
        beats = len(program.image.memory_bytes()) // player.config.bus_bytes
        place = (0, beats - 1, rng.randrange(beats), variant % beats)[variant % 4]
        bad = IMAGE_ADDRESS + place * player.config.bus_bytes
        await player.behave(rng, ready=0.4)
        player.rtl.fail("read", bad, response)
        await _start_load(player, program)
        await player.rtl.until_interrupt(PATIENCE)
        await player.check_status_fault(FaultReport(f"read_{response}", 0, bad))
        await player.check_untouched(program)
        player.rtl.heal()
        await player.clear()

    return play


async def _load_refused(player: Player, rng: random.Random, variant: int) -> None:
    """An image at a crooked address, or with more instructions or constants than the core holds."""
    config = player.config
    crooked = rng.randrange(1, config.cols)
    many = rng.choice([1, 1, 300])
    register, value, fault = (
        ("IMAGE_ADDR", crooked, "alignment"),
        ("IMAGE_INSTRS", config.imem_depth + many, "pc"),
        ("IMAGE_CONSTS", config.cmem_depth + many, "constant"),
    )[variant % 3]
    for name, usual in (("IMAGE_ADDR", IMAGE_ADDRESS), ("IMAGE_INSTRS", 1), ("IMAGE_CONSTS", 0)):
        await player.rtl.set(name, value if name == register else usual)
    player.trace.begin()
    await player.rtl.command("load")
    await player.rtl.until_interrupt(PATIENCE)
    await player.check_status_fault(FaultReport(fault, 0, value))
    await player.clear()


async def _gather_id(player: Player, rng: random.Random, variant: int) -> None:
    """An id at the limit or far beyond it, in the row that the variant names."""
    row = variant % GATHER_ROWS
    while True:
        seed = rng.getrandbits(32)
        generator = Generator(player.config, seed)
        if max(generator.m, 2 * player.config.rows) > row:
            break
    while True:
        gather = generator.working("LDG")
        word = encode(gather)
        rows = gather.fields["rows"].imm + generator.state.affine(gather.fields["rows"])
        if rows > row and not generator.writes_ids(word):
            break
    older = [generator.instruction() for _ in range(rng.randint(0, 5))]
    body = [*generator.prologue(), *older, word, *(generator.instruction() for _ in range(3)), HALT]
    program = finished(generator, seed, body)
    outcome, _ = _alone(player, program)
    bad = rng.choice([IDS_BELOW, IDS_BELOW + 1, 0xFFFF, 0x1_0000, 0x8000_0000, 0xFFFF_FFFF])
    fill, at = bytearray(program.memory[FILL_ADDRESS]), row * player.config.cols
    fill[at : at + 4] = bad.to_bytes(4, "little")
    program.memory[FILL_ADDRESS] = bytes(fill)
    await player.behave(rng, ready=0.4)
    await player.load(program)
    fault = player.meaning(program).fault
    assert fault is not None and (fault.name, fault.address) == ("gather_id", bad), fault
    await player.rtl.begin("main", program.length, program.m)
    await player.rtl.until_interrupt(_patience(player, outcome))
    await _stopped(player, program, fault, list(expected_retirements(outcome)))


async def _refuse_while_outstanding(player: Player, fault: FaultReport) -> None:
    """CLEAR is refused while a burst is outstanding, START and LOAD while the fault stands; nothing changes."""
    assert player.rtl.bus_outstanding and "outstanding" in await player.rtl.flags(), "nothing is outstanding"
    await player.rtl.errors()
    for command, error in (("clear", "clear_refused"), ("start", "fault_start"), ("load", "fault_start")):
        assert await player.rtl.command_refused(command), f"CTRL.{command} was not answered with SLVERR"
        shown = await player.rtl.errors()
        assert shown == {error}, f"CTRL.{command}: ERROR shows {shown}, must be {error}"
        await player.check_status_fault(fault)


def _watchdog(channel: str) -> Scenario:
    """A channel that never answers: from the start, or from a random cycle on if the program still needs it then."""

    async def play(player: Player, rng: random.Random, variant: int) -> None:
        program, outcome, _ = _program(player, rng, "read" if channel in ("AR", "R") else "write")
        period = rng.randint(*PERIODS)
        await player.behave(rng, ready=1.0)
        await player.load(program)
        await player.rtl.set("WATCHDOG", period)
        cycle = rng.randrange(_total(player, outcome))
        if variant % 2 or not await _stalls(player, program, outcome, channel, cycle):
            await player.load(program)
            assert await _stalls(player, program, outcome, channel, 0), "the program did without the stuck channel"
        await _end_of_stall(player, program, outcome, period)
        await player.rtl.set("WATCHDOG", WATCHDOG_CYCLES)

    return play


async def _stalls(player: Player, program: RandomProgram, outcome: Outcome, channel: str, cycle: int) -> bool:
    """Run a program whose channel sticks from a cycle on; False if it ended by itself, and then right in full."""
    player.meaning(program)
    if cycle == 0:
        player.rtl.stick(channel)
    await player.rtl.begin("main", program.length, program.m)
    await player.rtl.cycles(cycle)
    player.rtl.stick(channel)
    await player.rtl.until_interrupt(2 * _total(player, outcome) + PERIODS[1] + PATIENCE)
    if "fault" in await player.rtl.flags():
        return True
    player.rtl.heal()
    await player.compare(program, outcome, await player.rtl.finish())
    return False


async def _end_of_stall(player: Player, program: RandomProgram, outcome: Outcome, period: int) -> None:
    """The watchdog has ended the program, not before its period."""
    expected = list(expected_retirements(outcome))
    end = await player.rtl.end_cycle() - 1
    shown = player.trace.records()
    assert not shown or end - shown[-1].cycle >= period, f"watchdog {end - shown[-1].cycle} cycles after a retirement"
    fault = FaultReport("watchdog", player.oldest_pc(expected, end), 0)
    await player.check_stopped(program, fault, expected)
    await _refuse_while_outstanding(player, fault)
    player.rtl.heal()
    await player.clear()


async def _watchdog_load(player: Player, rng: random.Random, _variant: int) -> None:
    """The memory never answers the image."""
    program, *_ = _program(player, rng)
    put(player.memory, program)
    for address, data in program.memory.items():
        await player.rtl.write(address, data)
    await player.behave(rng, ready=1.0)
    await player.rtl.set("WATCHDOG", rng.randint(*PERIODS))
    player.rtl.stick(rng.choice(["AR", "R"]))
    await _start_load(player, program)
    await player.rtl.until_interrupt(PATIENCE)
    fault = FaultReport("watchdog", 0, 0)
    await player.check_status_fault(fault)
    await _refuse_while_outstanding(player, fault)
    player.rtl.heal()
    await player.clear()
    await player.rtl.set("WATCHDOG", WATCHDOG_CYCLES)


def _abort(channels: tuple[str, ...] = ()) -> Scenario:
    """Abort at a random cycle, every second time amid short bursts; with `channels`, when one has been stuck."""

    async def play(player: Player, rng: random.Random, variant: int) -> None:
        stuck = channels[variant % len(channels)] if channels else ""
        kind = "write" if stuck in ("AW", "W", "B") else "read"
        program, outcome, _ = _program(player, rng, kind)
        when = 2 * _total(player, outcome) if stuck else rng.randrange(_total(player, outcome))
        if not stuck and variant % 2:
            program, outcome, busy = _scattered(player, rng)
            when = _total(player, outcome) - rng.randrange(10, busy)
        expected = list(expected_retirements(outcome))
        await player.behave(rng, ready=1.0 if stuck or variant % 2 else 0.5)
        await player.load(program)
        player.meaning(program)
        if stuck:
            player.rtl.stick(stuck)
        await player.rtl.begin("main", program.length, program.m)
        await player.rtl.cycles(when)
        await player.rtl.abort()
        await player.rtl.until_interrupt(_patience(player, outcome))
        if "fault" not in await player.rtl.flags():  # it was faster
            await player.compare(program, outcome, await player.rtl.finish())
            return
        fault = FaultReport("abort", player.oldest_pc(expected, await player.rtl.end_cycle() - 1), 0)
        await player.check_stopped(program, fault, expected)
        if stuck:
            await _refuse_while_outstanding(player, fault)
        player.rtl.heal()
        await player.clear()

    return play


async def _reset(player: Player, rng: random.Random, _variant: int) -> None:
    """Reset at a random cycle: registers and counters as after power-up, memories as they are."""
    program, outcome, _ = _program(player, rng)
    await player.behave(rng, ready=0.5)
    await player.load(program)
    player.meaning(program)
    await player.rtl.begin("main", program.length, program.m)
    await player.rtl.cycles(rng.randrange(_total(player, outcome)))
    await player.rtl.reset()
    check_trace(player.trace.records(), expected_retirements(outcome))
    assert await player.rtl.get("STATUS") == 0, "STATUS is not zero after reset"
    for register in (*PARAMETERS, "ERROR", "FAULT_CODE", "FAULT_PC", "FAULT_ADDR"):
        usual = {"WATCHDOG": WATCHDOG_CYCLES, "IRQ_ENABLE": 1}.get(register, 0)  # the device sets these two
        assert await player.rtl.get(register) == usual, f"{register} is not {usual} after reset"
    await player.check_untouched(program)


PARAMETERS = tuple(name for name, register in REGISTERS.items() if register.access == "rw")
READ_ONLY = tuple(name for name, register in REGISTERS.items() if register.access == "ro")


async def _while_busy(player: Player, rng: random.Random, act: Callable[[], Awaitable[None]]) -> None:
    """Do something at a random cycle of a program, which must be right in full all the same."""
    program, outcome, _ = _program(player, rng)
    await player.behave(rng, ready=0.7)
    await player.load(program)
    player.meaning(program)
    await player.rtl.errors()
    await player.rtl.begin("main", program.length, program.m)
    await player.rtl.cycles(rng.randrange(_total(player, outcome) * 3 // 4))
    await act()
    await player.compare(program, outcome, await player.rtl.finish())


async def _busy_write(player: Player, rng: random.Random, variant: int) -> None:
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


async def _read_only_write(player: Player, rng: random.Random, variant: int) -> None:
    """A read-only register, a counter or a hole in the map while a program runs: SLVERR, without effect."""
    counters = [counter.offset for counter in COUNTERS]
    holes = [0x014, 0x04C, 0x05C, 0x08C, 0x0BC, 0x0C0, 0x140, 0x200, 0xFFC]
    offsets = [REGISTERS[name].offset for name in READ_ONLY] + counters + holes
    offset = offsets[variant % len(offsets)]

    async def act() -> None:
        assert await player.rtl.refused(offset, rng.getrandbits(32)), f"a write to {offset:#x}: no SLVERR"
        assert await player.rtl.errors() == set(), f"a write to {offset:#x} shows in ERROR"

    await _while_busy(player, rng, act)


def _busy_command(command: str, error: str) -> Scenario:
    """A command that a busy core refuses, without effect."""

    async def play(player: Player, rng: random.Random, _variant: int) -> None:
        async def act() -> None:
            assert await player.rtl.command_refused(command), f"CTRL.{command}: no SLVERR"
            assert "busy" in await player.rtl.flags(), "the program ended too early for this scenario"
            shown = await player.rtl.errors()
            assert shown == {error}, f"CTRL.{command}: ERROR shows {shown}"

        await _while_busy(player, rng, act)

    return play


async def _fault_start(player: Player, rng: random.Random, _variant: int) -> None:
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


KINDS: dict[str, Scenario] = {
    **{f"{kind}_{resp}": _bus_error(kind, resp) for kind in ("read", "write") for resp in ("slverr", "decerr")},
    **{f"load_{response}": _load_error(response) for response in ("slverr", "decerr")},
    "load_refused": _load_refused,
    "gather_id": _gather_id,
    **{f"watchdog {channel}": _watchdog(channel) for channel in CHANNELS},
    "watchdog LOAD": _watchdog_load,
    "abort": _abort(),
    "clear_refused": _abort(CHANNELS),
    "reset": _reset,
    "busy_write": _busy_write,
    "read_only_write": _read_only_write,
    "busy_start": _busy_command("start", "busy_start"),
    "busy_load": _busy_command("load", "busy_start"),
    "busy_clear": _busy_command("clear", "clear_refused"),
    "fault_start": _fault_start,
}
