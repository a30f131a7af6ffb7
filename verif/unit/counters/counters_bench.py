# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the performance counters against their definitions in spec/registers.yaml."""

import os
import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.device.clock import start_clock
from ga2.spec import COUNTERS

SEED = int(os.environ.get("GA2_SEED", "0"))
NAMES = [counter.name for counter in COUNTERS]
EVENTS = (
    *("matrix_busy", "stepping", "load_busy", "store_busy", "vector_busy", "softmax_busy"),
    *("hazard", "dispatch", "read_beat", "write_beat", "retire"),
)
PARTITION = tuple(counter.name for counter in COUNTERS if counter.kind == "partition")


def counted(on: dict[str, bool]) -> set[str]:
    """The counters that a running cycle with these events adds one to."""
    conditions = {
        "total": True,
        "matrix": on["matrix_busy"],
        "load_store": on["load_busy"] or on["store_busy"],
        "vector": on["vector_busy"],
        "softmax": on["softmax_busy"],
        "part_array": on["stepping"],
        "part_vector": on["vector_busy"] or on["softmax_busy"],
        "part_load": on["load_busy"],
        "part_store": on["store_busy"],
        "part_hazard": on["hazard"],
        "part_dispatch": on["dispatch"],
        "part_idle": True,
        "matrix_and_load": on["matrix_busy"] and on["load_busy"],
        "read_beats": on["read_beat"],
        "write_beats": on["write_beat"],
        "retired": on["retire"],
    }
    first = next(name for name in PARTITION if conditions[name])
    return {name for name, holds in conditions.items() if holds and (name not in PARTITION or name == first)}


async def read_all(dut) -> dict[str, int]:
    """Every counter, a cycle each, while nothing runs."""
    values = {}
    for index, name in enumerate(NAMES):
        dut.index_i.value = index
        await FallingEdge(dut.clk_i)
        values[name] = int(dut.value_o.value)
        await RisingEdge(dut.clk_i)
    return values


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def random_programs(dut) -> None:
    """Cycles of every mix of events; between programs the values stay, also under events; START begins again."""
    rng = random.Random(SEED)
    dut.rst_ni.value = dut.start_i.value = dut.running_i.value = dut.index_i.value = 0
    for name in EVENTS:
        getattr(dut, f"{name}_i").value = 0
    await start_clock(dut.clk_i)
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    assert await read_all(dut) == dict.fromkeys(NAMES, 0)
    seen: set[str] = set()
    for length in (0, 1, *(rng.randint(1, 400) for _ in range(10))):
        expected = {name: int(name in ("total", "part_idle")) for name in NAMES}
        density = rng.choice([0.1, 0.5, 0.9])
        for cycle in range(length + 1):  # the first one starts, and whatever happens in it counts for nobody
            on = {name: rng.random() < density for name in EVENTS}
            for name, value in on.items():
                getattr(dut, f"{name}_i").value = int(value)
            dut.start_i.value, dut.running_i.value = int(cycle == 0), int(cycle > 0 or rng.random() < 0.5)
            if cycle:
                seen |= counted(on)
                expected |= {name: expected[name] + 1 for name in counted(on)}
            await RisingEdge(dut.clk_i)
        dut.start_i.value = dut.running_i.value = 0
        assert await read_all(dut) == expected
        assert sum(expected[name] for name in PARTITION) == expected["total"]
    assert seen == set(NAMES)
