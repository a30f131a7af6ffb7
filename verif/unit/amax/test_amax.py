# SPDX-License-Identifier: Apache-2.0
"""The argument of the maximum in both simulators, at every word size."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench

HERE = Path(__file__).parent


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("cols", [4, 8, 16])
def test_amax(cols: int, sim: str) -> None:
    bench("ga2_amax", HERE / "amax_bench.py", sim, {"COLS": cols}, env={"GA2_COLS": str(cols)}, internals=False)
