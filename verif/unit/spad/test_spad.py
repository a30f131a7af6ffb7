# SPDX-License-Identifier: Apache-2.0
"""The scratchpad in both simulators; and that its assertions stop a simulation."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench
from ga2.sim.errors import SimulationError

BENCH = Path(__file__).parent / "spad_bench.py"
SIZES = {"COLS": 4, "WORDS": 1024, "BANKS": 8}


def run(sim: str, sizes: dict[str, int], testcase: str, kind: str = "") -> None:
    env = {f"GA2_{name}": str(value) for name, value in sizes.items()} | {"GA2_BREAK": kind}
    bench("ga2_spad", BENCH, sim, sizes, testcase=testcase, env=env, internals=False)


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("sizes", [SIZES, {"COLS": 16, "WORDS": 8192, "BANKS": 8}], ids=["nano", "base"])
def test_spad(sizes: dict[str, int], sim: str) -> None:
    run(sim, sizes, "random_requests")


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("kind", ["readers", "writers", "range"])
def test_spad_stops_on_a_broken_rule(kind: str, sim: str) -> None:
    with pytest.raises(SimulationError, match="ga2_spad"):
        run(sim, SIZES, "broken_rule", kind)
    run(sim, SIZES, "broken_rule")
