# SPDX-License-Identifier: Apache-2.0
"""The matrix unit in both simulators, for arrays with every relation of rows, columns and lanes."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench

HERE = Path(__file__).parent
# (4, 8, 4): the one in which the shadow registers, and not the rows or the words, set the shortest tile.
SHAPES = [(4, 4, 4), (4, 8, 8), (4, 4, 1), (4, 8, 4), (8, 8, 4), (16, 16, 16)]


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "x".join(map(str, shape)))
def test_mm(shape: tuple[int, int, int], sim: str) -> None:
    parameters = dict(zip(("ROWS", "COLS", "LANES"), shape, strict=True))
    bench(
        "ga2_mm_tb",
        HERE / "mm_bench.py",
        sim,
        parameters,
        [HERE / "ga2_mm_tb.sv"],
        env={f"GA2_{name}": str(value) for name, value in parameters.items()},
        internals=False,
    )
