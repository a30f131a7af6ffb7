# SPDX-License-Identifier: Apache-2.0
"""The burst engine in both simulators, at the bus and word sizes of every configuration."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench
from ga2.spec import CONFIG_NAMES, load_config


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_burst(config: str, sim: str) -> None:
    sizes = load_config(config)
    parameters = {"COLS": sizes.cols, "BUS_BYTES": sizes.bus_bytes}
    env = {f"GA2_{name}": str(value) for name, value in parameters.items()}
    bench("ga2_burst", Path(__file__).with_name("burst_bench.py"), sim, parameters, env=env, internals=False)
