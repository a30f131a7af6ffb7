# SPDX-License-Identifier: Apache-2.0
"""The divider in both simulators, at one and two digits a cycle."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("digits", [1, 2])
def test_divider(digits: int, sim: str) -> None:
    here = Path(__file__)
    bench(
        "ga2_divider", here.with_name("divider_bench.py"), sim, {"DIGITS": digits},
        env={"GA2_DIGITS": str(digits)}, internals=False,
    )  # fmt: skip
