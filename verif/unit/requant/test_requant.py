# SPDX-License-Identifier: Apache-2.0
"""One requantising lane in both simulators."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_requant(sim: str) -> None:
    bench("ga2_requant", Path(__file__).with_name("requant_bench.py"), sim, internals=False)
