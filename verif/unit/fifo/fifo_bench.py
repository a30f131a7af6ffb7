# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the FIFO against a Python deque: order, flags, latency, every fill level and wrap-around."""

import os
import random
from collections import deque

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.device.clock import start_clock

DEPTH = int(os.environ["GA2_DEPTH"])
WIDTH = 8
SEED = int(os.environ.get("GA2_SEED", "0"))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def random_traffic(dut) -> None:
    """Pushes and pops with phases that fill, drain and balance; the head is visible the cycle after its push."""
    rng = random.Random(SEED)
    dut.push_i.value = dut.pop_i.value = dut.rst_ni.value = 0
    await start_clock(dut.clk_i)
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    model: deque[int] = deque()
    levels, popped = set(), 0
    for cycle in range(3000):
        eager = (0.9, 0.1, 0.5)[cycle // 40 % 3]
        push = len(model) < DEPTH and rng.random() < eager
        pop = bool(model) and rng.random() < 1 - eager
        data = rng.getrandbits(WIDTH)
        dut.push_i.value, dut.pop_i.value, dut.data_i.value = int(push), int(pop), data
        await FallingEdge(dut.clk_i)
        assert bool(dut.empty_o.value) == (not model)
        assert bool(dut.full_o.value) == (len(model) == DEPTH)
        if model:
            assert int(dut.data_o.value) == model[0]
        levels.add(len(model))
        await RisingEdge(dut.clk_i)
        if pop:
            model.popleft()
            popped += 1
        if push:
            model.append(data)
    assert levels == set(range(DEPTH + 1)) and popped > 500
