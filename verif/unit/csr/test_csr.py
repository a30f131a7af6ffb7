# SPDX-License-Identifier: Apache-2.0
"""The registers in both simulators, with the sizes of every configuration."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench
from ga2.sim.build import core_parameters
from ga2.spec import CONFIG_NAMES, load_config

NAMES = ("ROWS", "COLS", "BUS_BYTES", "LANES", "BANKS", "IMEM_DEPTH", "CMEM_DEPTH", "MAX_LEN", "M_MAX")


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_csr(config: str, sim: str) -> None:
    sizes = load_config(config)
    every = core_parameters(sizes)
    parameters = {name: every[name] for name in NAMES} | {"SPAD_WORDS": sizes.spad_bytes // sizes.cols}
    env = {f"GA2_{name}": str(value) for name, value in parameters.items()}
    bench("ga2_csr", Path(__file__).with_name("csr_bench.py"), sim, parameters, env=env, internals=False)
