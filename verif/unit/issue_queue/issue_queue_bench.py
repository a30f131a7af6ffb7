# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the issue queue against a Python deque: order, what is offered when, every fill level, kills."""

import os
import random
from collections import deque

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.device.clock import start_clock

WIDTH = int(os.environ["GA2_WIDTH"])
SLOTS = 8
SEED = int(os.environ.get("GA2_SEED", "0"))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def random_traffic(dut) -> None:
    """The head is offered from the cycle after its push on, while its slot is clear; never another."""
    rng = random.Random(SEED)
    dut.kill_i.value = dut.push_i.value = dut.op_ready_i.value = dut.clear_i.value = dut.op_i.value = 0
    dut.rst_ni.value = 0
    await start_clock(dut.clk_i)
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    model: deque[int] = deque()
    levels, popped, held, kills, slot = set(), 0, 0, 0, 0
    for cycle in range(6000):
        filling = (0.95, 0.3, 0.6)[cycle // 50 % 3]
        push = len(model) < SLOTS and rng.random() < filling
        kill = rng.random() < 0.01
        clear, ready = rng.getrandbits(SLOTS) | rng.getrandbits(SLOTS), rng.random() < 1.2 - filling
        op = (slot if push else rng.randrange(SLOTS)) << (WIDTH - 3) | rng.getrandbits(WIDTH - 3)
        dut.kill_i.value, dut.push_i.value, dut.op_i.value = int(kill), int(push), op
        dut.clear_i.value, dut.op_ready_i.value = clear, int(ready)
        await FallingEdge(dut.clk_i)
        offered = bool(model) and bool(clear >> (model[0] >> (WIDTH - 3)) & 1)
        assert bool(dut.op_valid_o.value) == offered, f"cycle {cycle}: offered {dut.op_valid_o.value}, not {offered}"
        if offered:
            assert int(dut.op_o.value) == model[0], f"cycle {cycle}: not the head"
        held += bool(model) and not offered
        levels.add(len(model))
        await RisingEdge(dut.clk_i)
        if offered and ready:
            model.popleft()
            popped += 1
        if push:
            model.append(op)
            slot = (slot + rng.randint(1, 3)) % SLOTS
        if kill:
            kills += 1
            model.clear()
    assert levels == set(range(SLOTS + 1)) and popped > 1000 and held > 100 and kills > 10
