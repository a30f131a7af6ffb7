# SPDX-License-Identifier: Apache-2.0
"""The life of a program in both simulators."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_control(sim: str) -> None:
    bench("ga2_control", Path(__file__).with_name("control_bench.py"), sim, internals=False)
