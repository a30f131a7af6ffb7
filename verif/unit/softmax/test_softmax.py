# SPDX-License-Identifier: Apache-2.0
"""The softmax unit in both simulators, at every word size."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench

HERE = Path(__file__).parent


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("cols", [4, 8, 16])
def test_softmax(cols: int, sim: str) -> None:
    bench("ga2_softmax", HERE / "softmax_bench.py", sim, {"COLS": cols}, env={"GA2_COLS": str(cols)}, internals=False)
