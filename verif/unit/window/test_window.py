# SPDX-License-Identifier: Apache-2.0
"""The dispatch window in both simulators."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench

SIZES = {"ADDR_BITS": 13, "BANKS": 8}


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_window(sim: str) -> None:
    env = {f"GA2_{name}": str(value) for name, value in SIZES.items()}
    bench("ga2_window", Path(__file__).with_name("window_bench.py"), sim, SIZES, env=env, internals=False)
