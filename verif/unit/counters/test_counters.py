# SPDX-License-Identifier: Apache-2.0
"""The performance counters in both simulators."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_counters(sim: str) -> None:
    bench("ga2_counters", Path(__file__).with_name("counters_bench.py"), sim, internals=False)
