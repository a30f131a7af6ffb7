# SPDX-License-Identifier: Apache-2.0
"""The FIFO in both simulators, with depths that are and are not powers of two."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench

BENCH = Path(__file__).parent / "fifo_bench.py"


@pytest.mark.simulation
@pytest.mark.parametrize(("sim", "depth"), [("icarus", 2), ("icarus", 5), ("icarus", 8), ("verilator", 5)])
def test_fifo(depth: int, sim: str) -> None:
    bench("ga2_fifo", BENCH, sim, {"WIDTH": 8, "DEPTH": depth}, env={"GA2_DEPTH": str(depth)}, internals=False)
