# SPDX-License-Identifier: Apache-2.0
"""The issue queue in both simulators."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench

BENCH = Path(__file__).with_name("issue_queue_bench.py")


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_issue_queue(sim: str) -> None:
    bench("ga2_issue_queue", BENCH, sim, {"WIDTH": 64}, env={"GA2_WIDTH": "64"}, internals=False)
