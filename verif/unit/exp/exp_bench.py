# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of one exponential lane: every distance at many score scales, one a cycle."""

import os
import random

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.golden.numerics import softmax_exp

SEED = int(os.environ.get("GA2_SEED", "0"))
LATENCY = 3


@cocotb.test()
async def every_distance(dut) -> None:
    """All 256 distances for each emul; every seventh input is invalid and must give zero."""
    rng = random.Random(SEED)
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
