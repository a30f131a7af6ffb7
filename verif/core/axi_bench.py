# SPDX-License-Identifier: Apache-2.0
"""Random programs on an AXI slave that pauses, fails and stalls: same bytes, right faults, a clean next program."""

import logging
import os
import random
from dataclasses import replace

import cocotb
from cocotb.triggers import RisingEdge

from ga2.device.checked import CheckedDevice
from ga2.device.compare import untouchable_differences
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import FaultReport
from ga2.device.rtl import WATCHDOG_CYCLES
from ga2.spec import REGISTERS, load_config
from verif.core.axi_device import AxiDevice
from verif.core.watched_memory import WatchedMemory
from verif.env.retire_monitor import RetireMonitor
from verif.env.retirement import Retirement
from verif.programs.draw import random_program
from verif.programs.filling import filling_program
from verif.programs.program import IMAGE_ADDRESS, MEMORY_BYTES, Program

CONFIG = load_config(os.environ["GA2_CONFIG"])
SEEDS = range(int(os.environ["GA2_FIRST_SEED"]), int(os.environ["GA2_FIRST_SEED"]) + int(os.environ["GA2_PROGRAMS"]))
SETTINGS = "short"
PAUSES = (0.0, 0.2, 0.5)  # how often a channel waits
PATIENCE = 300  # cycles of the watchdog on a stalled bus
REFUSED = 1 << REGISTERS["ERROR"].fields["clear_refused"]
CLEAR = 1 << REGISTERS["CTRL"].fields["clear"]
OUTSTANDING = 1 << REGISTERS["STATUS"].fields["outstanding"]


def no_counters(*_: object) -> dict[str, int]:
    """Cycles depend on the pauses: nothing is predicted."""
    return {}


async def accesses_of(program: Program) -> list[tuple[str, int, int]]:
    """What a program reads and writes, from a run on a golden model of its own."""
    memory = WatchedMemory(MEMORY_BYTES)
    golden = GoldenDevice(CONFIG, predict=no_counters)
    golden.memory = memory
    for address, data in program.memory.items():
        await golden.write(address, data)
    await golden.load_image(program.image, IMAGE_ADDRESS)
    await golden.set_windows(program.windows)
    memory.accesses.clear()
    await golden.run("main", program.length, program.m)
    return memory.accesses


async def program_with(kind: str, seed: int) -> Program:
    """The first program from a seed on that reads or writes anything."""
    program = random_program(CONFIG, seed, SETTINGS)
    while all(access[0] != kind for access in await accesses_of(program)):
        program = random_program(CONFIG, program.seed + 1, SETTINGS)
    return program


class Bench:
    """A core on the slave, and the golden model beside it."""

    def __init__(self, dut, rng: random.Random) -> None:
        logging.getLogger("cocotb.ga2_axi_tb").setLevel(logging.WARNING)
        self.dut, self.rng = dut, rng
        self.rtl = AxiDevice(dut, CONFIG, MEMORY_BYTES, rng)
        self.golden = GoldenDevice(CONFIG, predict=no_counters)
        self.memory = self.golden.memory = WatchedMemory(MEMORY_BYTES)
        self.device = CheckedDevice(self.rtl, self.golden)
        self.trace: list[Retirement] = []
        RetireMonitor(dut, "trace", dut.clk, reset_n=dut.rst_n, callback=self.trace.append)

    async def load(self, program: Program) -> None:
        """Put a program into both."""
        for address, data in program.memory.items():
            await self.device.write(address, data)
        await self.device.load_image(program.image, IMAGE_ADDRESS)
        await self.device.set_windows(program.windows)
        self.memory.accesses.clear()

    async def run_right(self, program: Program) -> None:
        """Run it at a random pace: every byte equals golden's."""
        self.rtl.pause(self.rng.choice(PAUSES))
        await self.load(program)
        result = await self.device.run("main", program.length, program.m)
        assert result.fault is None and self.device.difference is None, f"{program.seed}: {self.device.difference}"
        assert self.memory.accesses, "the program moved nothing"

    async def fail(self, program: Program, kind: str, response: str) -> FaultReport:
        """Let a random beat that the loaded program reads or writes fail; the fault that this must be."""
        accesses = [access for access in await accesses_of(program) if access[0] == kind]
        _, start, size = self.rng.choice(accesses)
        address = self.rng.randrange(start, start + size, CONFIG.bus_bytes)
        self.rtl.region.bad[kind].add(address)
        self.memory.bad = (kind, address)
        self.dut.decode_errors.value = int(response == "decerr")
        fault = (await self.golden.run("main", program.length, program.m)).fault
        assert fault is not None
        return replace(fault, name=f"{kind}_{response}")

    def heal(self) -> None:
        """No more errors."""
        self.memory.bad = None
        for addresses in self.rtl.region.bad.values():
            addresses.clear()


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def random_pauses_change_no_byte(dut) -> None:
    """Every channel waits at random."""
    bench = Bench(dut, random.Random(SEEDS[0]))
    await bench.rtl.start()
    for seed in SEEDS:
        await bench.run_right(random_program(CONFIG, seed, SETTINGS))


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def bus_errors_stop_the_program(dut) -> None:
    """SLVERR and DECERR on a random beat: code, pc, address; nothing else touched; then CLEAR and a right program."""
    bench = Bench(dut, random.Random(SEEDS[0] + 1))
    await bench.rtl.start()
    for seed in SEEDS:
        for kind in ("read", "write"):
            for response in ("slverr", "decerr"):
                program = await program_with(kind, seed)
                bench.rtl.pause(bench.rng.choice(PAUSES))
                await bench.load(program)
                expected = await bench.fail(program, kind, response)
                result = await bench.rtl.run("main", program.length, program.m)
                assert result.fault == expected, f"seed {seed}: {result.fault}, expected {expected}"
                last = bench.trace[-1]
                assert (last.fault, last.pc) == (expected.name, expected.pc), f"seed {seed}: trace ends in {last}"
                golden, rtl = bench.golden.contents(), await bench.rtl.contents()
                assert not untouchable_differences(golden, rtl, program.windows)
                bench.heal()
        await bench.run_right(filling_program(CONFIG.name))
        await bench.run_right(random_program(CONFIG, seed + 1, SETTINGS))


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def a_stalled_bus_wakes_the_watchdog(dut) -> None:
    """R never comes: watchdog, CLEAR refused while bursts are outstanding; when they end, a right program."""
    bench = Bench(dut, random.Random(SEEDS[0] + 2))
    await bench.rtl.start()
    program = random_program(CONFIG, SEEDS[0], SETTINGS)
    await bench.load(program)
    await bench.rtl.set("WATCHDOG", PATIENCE)
    bench.rtl.pause(0.0)
    bench.rtl.channels["r"].set_pause_generator(iter(lambda: True, None))
    await bench.rtl.begin("main", program.length, program.m)
    finished = cocotb.start_soon(bench.rtl.finish())
    await RisingEdge(dut.irq)
    await bench.rtl.cycles(PATIENCE)
    assert await bench.rtl.get("STATUS") & OUTSTANDING
    await bench.rtl.set("CTRL", CLEAR)
    assert await bench.rtl.get("ERROR") == REFUSED
    await bench.rtl.set("ERROR", REFUSED)
    bench.rtl.pause(0.5)
    fault = (await finished).fault
    assert fault is not None and (fault.name, fault.pc) == ("watchdog", 0), fault
    await bench.rtl.set("WATCHDOG", WATCHDOG_CYCLES)
    await bench.run_right(filling_program(CONFIG.name))
    await bench.run_right(program)
