# SPDX-License-Identifier: Apache-2.0
"""The image loader in both simulators, at the bus and word sizes of every configuration."""

from pathlib import Path

import pytest

from ga2.sim.bench import bench
from ga2.spec import CONFIG_NAMES, load_config

HERE = Path(__file__).parent


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_image_loader(config: str, sim: str) -> None:
    sizes = load_config(config)
    bench(
        "ga2_image_loader_tb",
        HERE / "image_loader_bench.py",
        sim,
        {"COLS": sizes.cols, "BUS_BYTES": sizes.bus_bytes},
        [HERE / "ga2_image_loader_tb.sv"],
        env={"GA2_COLS": str(sizes.cols)},
        internals=False,
    )
