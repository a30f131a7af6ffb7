# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the exponential: one lane cycle by cycle, and all 2^24 inputs by blocks (in Icarus some of them)."""

import os
import random

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.golden.numerics import softmax_exp

SEED = int(os.environ.get("GA2_SEED", "0"))
LATENCY = 3
BLOCKS = (184,) if "icarus" in cocotb.SIM_NAME.lower() else tuple(range(256))  # upper bytes of emul; 184: scale 1


@cocotb.test()
async def every_distance(dut) -> None:
    """All 256 distances for each emul; every seventh input is invalid and must give zero."""
    rng = random.Random(SEED)
    dut.block_i.value = 0
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns", impl="gpi").start())
    edges = [0, 1, 255, 256, 473, 2**15 - 1, 2**15, 47274, 2**16 - 1]
    for emul in edges + [rng.randrange(2**16) for _ in range(12)]:
        dut.emul_i.value = emul
        valid = [d % 7 != 3 for d in range(256)]
        want = np.where(valid, softmax_exp(np.arange(256), emul), 0)
        for cycle in range(256 + LATENCY):
            await RisingEdge(dut.clk_i)
            dut.valid_i.value = cycle < 256 and valid[cycle]
            dut.distance_i.value = cycle % 256
            await FallingEdge(dut.clk_i)
            if cycle >= LATENCY:
                got = int(dut.e16_o.value)
                assert got == want[cycle - LATENCY], f"emul {emul}, distance {cycle - LATENCY}: {got}"


def block_check(high: int) -> int:
    """The check of ga2_exp_tb.sv over golden's results for emul = 256 * high .. 256 * high + 255."""
    index = np.arange(256, dtype=np.uint64)
    weight = (index * np.uint64(0x9E3779B1) & np.uint64(0xFFFFFFFF)) | np.uint64(1)
    emul = 256 * high + np.arange(256)[:, np.newaxis]
    e16 = softmax_exp(np.arange(256), emul).astype(np.uint64)
    return int((e16 * weight * weight[:, np.newaxis]).sum(dtype=np.uint64))


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def every_input(dut) -> None:
    """All distances of all emul: each block's results are golden's."""
    dut.block_i.value = dut.valid_i.value = dut.distance_i.value = dut.emul_i.value = 0
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns", impl="gpi").start())
    for high in BLOCKS:
        dut.high_i.value = high
        for _ in range(2):
            await RisingEdge(dut.clk_i)
        dut.block_i.value = 1
        await RisingEdge(dut.ended_o)
        await FallingEdge(dut.clk_i)
        assert int(dut.check_o.value) == block_check(high), f"emul {256 * high} to {256 * high + 255}: a wrong result"
        dut.block_i.value = 0
        await RisingEdge(dut.clk_i)
