# SPDX-License-Identifier: Apache-2.0
"""The exponential in both simulators."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench

HERE = Path(__file__).parent


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_exp(sim: str) -> None:
    bench("ga2_exp_tb", HERE / "exp_bench.py", sim, extra_sources=[HERE / "ga2_exp_tb.sv"], internals=False)
