# SPDX-License-Identifier: Apache-2.0
"""The divider in both simulators, at every number of quotient bits a cycle."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("bits", [1, 2, 4])
def test_divider(bits: int, sim: str) -> None:
    here = Path(__file__)
    bench(
        "ga2_divider", here.with_name("divider_bench.py"), sim, {"BITS": bits},
        env={"GA2_BITS": str(bits)}, internals=False,
    )  # fmt: skip
