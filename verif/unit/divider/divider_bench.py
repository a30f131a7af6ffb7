# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the divider against Python's integers: edges, random operands, back to back, and kills."""

import os
import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.device.clock import start_clock

BITS = int(os.environ["GA2_BITS"])
SEED = int(os.environ.get("GA2_SEED", "0"))
CYCLES = 32 // BITS + 1
SCALES = (0, 1, 2**16 - 1, 2**16, 2**30 - 1, 2**30, 2**31 - 1)
SUMS = (2**15, 2**15 + 1, 65279, 65280, 65281, 2 * 65280, 2**27, 512 * 65280, 4095 * 65280, 2**28 - 1)


def quotient(scale: int, total: int) -> int:
    return min(2**31 - 1, (scale << 16) // total)


async def reset(dut) -> None:
    dut.kill_i.value = 0
    dut.start_i.value = 0
    dut.scale_i.value = 0
    dut.sum_i.value = 2**15
    dut.rst_ni.value = 0
    await start_clock(dut.clk_i)
    await FallingEdge(dut.clk_i)
    await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1


async def start(dut, scale: int, total: int) -> None:
    """Give operands for one cycle; leaves the bench just behind the edge that took them."""
    dut.start_i.value = 1
    dut.scale_i.value = scale
    dut.sum_i.value = total
    await RisingEdge(dut.clk_i)
    dut.start_i.value = 0


async def result(dut, scale: int, total: int) -> None:
    """Check every cycle up to the result's, and leave the bench in that one."""
    for cycle in range(1, CYCLES + 1):
        await FallingEdge(dut.clk_i)
        assert bool(dut.valid_o.value) == (cycle == CYCLES), f"cycle {cycle}"
        if cycle < CYCLES:
            await RisingEdge(dut.clk_i)
    got = int(dut.quotient_o.value)
    assert got == quotient(scale, total), f"({scale} << 16) / {total} = {got}"


@cocotb.test()
async def edges_and_random(dut) -> None:
    """Each division starts in the cycle of the former one's result."""
    rng = random.Random(SEED)
    await reset(dut)
    pairs = [(scale, total) for scale in SCALES for total in SUMS]
    for _ in range(300):
        total = rng.randrange(2**15, 2 ** rng.randint(16, 28))
        exact = rng.randrange(2**31) * total >> 16  # near a whole quotient
        pairs.append((rng.choice([rng.randrange(2**31), min(exact, 2**31 - 1)]), total))
    await RisingEdge(dut.clk_i)
    for scale, total in pairs:
        await start(dut, scale, total)
        await result(dut, scale, total)


@cocotb.test()
async def the_result_holds(dut) -> None:
    await reset(dut)
    await RisingEdge(dut.clk_i)
    await start(dut, 2**30, 99999)
    await result(dut, 2**30, 99999)
    for _ in range(40):
        await RisingEdge(dut.clk_i)
        await FallingEdge(dut.clk_i)
        assert not dut.valid_o.value and int(dut.quotient_o.value) == quotient(2**30, 99999)


@cocotb.test()
async def killed(dut) -> None:
    """A kill in any cycle of a division: no result, and the next division is right."""
    await reset(dut)
    for after in range(CYCLES):
        await RisingEdge(dut.clk_i)
        await start(dut, 12345678, 70000)
        for _ in range(after):
            await RisingEdge(dut.clk_i)
        dut.kill_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.kill_i.value = 0
        for _ in range(2 * CYCLES):
            await FallingEdge(dut.clk_i)
            assert not dut.valid_o.value
        await RisingEdge(dut.clk_i)
        await start(dut, 2**31 - 1, 65280 + after)
        await result(dut, 2**31 - 1, 65280 + after)
