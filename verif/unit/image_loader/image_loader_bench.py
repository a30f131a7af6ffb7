# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the image loader with the load unit: what is written where, refusals, bus errors, kills."""

import os
import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.device.clock import start_clock
from ga2.spec import ISA

COLS = int(os.environ["GA2_COLS"])
DEPTH = 64
MEMORY_BYTES = 16384
SEED = int(os.environ.get("GA2_SEED", "0"))


def pattern(address: int, size: int) -> int:
    """What the memory holds (ga2_image_loader_tb.sv fills it alike), little-endian."""
    data = bytes((a * 167 + (a >> 8) * 59 + 17) & 0xFF for a in range(address, address + size))
    return int.from_bytes(data, "little")


def constant(address: int) -> int:
    """The packed const_t of the constant at a byte address: spec/isa.yaml's fields, the first one highest."""
    bits = 0
    for spec in ISA.constant:
        bits = bits << spec.width | (pattern(address, 16) >> spec.lsb) & ((1 << spec.width) - 1)
    return bits


class Bench:
    """The loader under test and what it wrote."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.instructions: list[tuple[int, int]] = []
        self.constants: list[tuple[int, int]] = []
        self.errors: list[tuple[int, int]] = []
        self.done = 0

    async def reset(self) -> None:
        dut = self.dut
        for name in ("rst_ni", "kill_i", "start_i", "addr_i", "instrs_i", "consts_i"):
            getattr(dut, name).value = 0
        await start_clock(dut.clk_i)
        for _ in range(3):
            await RisingEdge(dut.clk_i)
        dut.rst_ni.value = 1
        await RisingEdge(dut.clk_i)

    async def step(self) -> None:
        """One cycle."""
        dut = self.dut
        await FallingEdge(dut.clk_i)
        if dut.imem_we_o.value:
            self.instructions.append((int(dut.imem_index_o.value), int(dut.imem_data_o.value)))
        if dut.cmem_we_o.value:
            self.constants.append((int(dut.cmem_index_o.value), int(dut.cmem_data_o.value)))
        for prefix in ("err", "bus_err"):
            if getattr(dut, f"{prefix}_valid_o").value:
                pair = int(getattr(dut, f"{prefix}_code_o").value), int(getattr(dut, f"{prefix}_addr_o").value)
                self.errors.append(pair)
        self.done += int(dut.done_o.value)
        await RisingEdge(dut.clk_i)

    async def start(self, address: int, instructions: int, constants: int) -> None:
        """The start command; forgets what was seen."""
        dut = self.dut
        self.instructions, self.constants, self.errors, self.done = [], [], [], 0
        dut.addr_i.value, dut.instrs_i.value, dut.consts_i.value = address, instructions, constants
        dut.start_i.value = 1
        await self.step()
        dut.start_i.value = 0

    async def finish(self) -> None:
        """Step until done or an error."""
        for _ in range(3000):
            if self.done or self.errors:
                break
            await self.step()
        for _ in range(3):
            await self.step()


def check(bench: Bench, address: int, instructions: int, constants: int) -> None:
    """Every instruction and constant once, in order, and one done."""
    first = address + 32 * instructions
    assert bench.instructions == [(i, pattern(address + 32 * i, 32)) for i in range(instructions)]
    assert bench.constants == [(i, constant(first + 16 * i)) for i in range(constants)]
    assert bench.done == 1 and not bench.errors and not bench.dut.busy_o.value


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def images(dut) -> None:
    """No, one, some and all instructions and constants, from any word, across pages."""
    rng = random.Random(SEED)
    bench = Bench(dut)
    await bench.reset()
    sizes = [(0, 0), (1, 0), (0, 1), (1, 1), (DEPTH, DEPTH)]
    sizes += [(rng.randint(0, 20), rng.randint(0, 20)) for _ in range(5)]
    for instructions, constants in sizes:
        address = rng.choice([0, 4096 - COLS, rng.randrange((MEMORY_BYTES - 4096) // COLS) * COLS])
        await bench.start(address, instructions, constants)
        await bench.finish()
        check(bench, address, instructions, constants)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def refusals(dut) -> None:
    """An address off the words, or more than a memory holds: an error, done, nothing written."""
    bench = Bench(dut)
    await bench.reset()
    for address, instructions, constants, fault, value in (
        (2, 1, 1, "alignment", 2),
        (0, DEPTH + 1, 1, "pc", DEPTH + 1),
        (0, 1 << 31, 1, "pc", 1 << 31),
        (0, 1, DEPTH + 1, "constant", DEPTH + 1),
    ):
        await bench.start(address, instructions, constants)
        await bench.finish()
        assert bench.errors == [(ISA.faults[fault].code, value)]
        assert bench.done == 1 and not bench.instructions and not bench.constants
    await bench.start(0, 2, 2)
    await bench.finish()
    check(bench, 0, 2, 2)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def bus_error_and_kill(dut) -> None:
    """An image that runs out of the memory: the load unit reports it; after the kill the next image loads."""
    bench = Bench(dut)
    await bench.reset()
    await bench.start(MEMORY_BYTES - 64, 2, 3)
    await bench.finish()
    assert bench.errors == [(ISA.faults["read_decerr"].code, MEMORY_BYTES)] and not bench.done
    assert len(bench.instructions) == 2 and not bench.constants
    dut.kill_i.value = 1
    await bench.step()
    while dut.outstanding_o.value:
        await bench.step()
    dut.kill_i.value = 0
    await bench.step()
    assert not dut.busy_o.value
    await bench.start(64, 3, 5)
    await bench.finish()
    check(bench, 64, 3, 5)
