# SPDX-License-Identifier: Apache-2.0
"""The exponential in both simulators."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_exp(sim: str) -> None:
    bench("ga2_exp", Path(__file__).with_name("exp_bench.py"), sim, internals=False)
