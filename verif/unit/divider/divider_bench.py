# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the divider against Python's integers: edges, random operands, back to back, kills, and two bytes.

Its operands of 31 and 28 bits cannot be had smaller: the sum's lower bound of 2^15 is what makes a quotient of 32 bits.
So all pairs of bytes are put where they reach every digit (ga2_divider_tb.sv says where).
"""

import os
import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.device.clock import start_clock

BITS = int(os.environ["GA2_BITS"])
SEED = int(os.environ.get("GA2_SEED", "0"))
STRIDE = 101 if "icarus" in cocotb.SIM_NAME.lower() else 1  # between the pairs of bytes: Icarus is slow
PLACES = 3
CYCLES = 32 // BITS + 1
SCALES = (0, 1, 2**16 - 1, 2**16, 2**30 - 1, 2**30, 2**31 - 1)
SUMS = (2**15, 2**15 + 1, 65279, 65280, 65281, 2 * 65280, 2**27, 512 * 65280, 4095 * 65280, 2**28 - 1)


def quotient(scale: int, total: int) -> int:
    return min(2**31 - 1, (scale << 16) // total)


async def reset(dut) -> None:
    dut.kill_i.value = 0
    dut.start_i.value = 0
    dut.sweep_i.value = 0
    dut.place_i.value = 0
    dut.stride_i.value = STRIDE
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


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def all_pairs_of_bytes(dut) -> None:
    """Every pair at every place; the testbench compares with the division of the simulator."""
    await reset(dut)
    for place in range(PLACES):
        dut.place_i.value = place
        await RisingEdge(dut.clk_i)
        dut.sweep_i.value = 1
        await RisingEdge(dut.swept_o)
        await FallingEdge(dut.clk_i)
        wrong, last = int(dut.wrong_o.value), (dut.wrong_scale_o.value, dut.wrong_sum_o.value)
        assert wrong == 0, f"place {place}: {wrong} wrong, the last one ({last[0]} << 16) / {last[1]}"
        assert int(dut.compared_o.value) == -(-(2**16) // STRIDE)
        dut.sweep_i.value = 0
        await RisingEdge(dut.clk_i)


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
