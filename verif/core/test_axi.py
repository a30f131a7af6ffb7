# SPDX-License-Identifier: Apache-2.0
"""The core on a hostile AXI bus, in both simulators."""

import pytest

from ga2.sim import build_axi, run

PROGRAMS = {"icarus": "1", "verilator": "3"}
TESTS = 3  # of axi_bench


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano", "wide"])
def test_axi(config: str, sim: str) -> None:
    env = {"GA2_CONFIG": config, "GA2_FIRST_SEED": "200", "GA2_PROGRAMS": PROGRAMS[sim]}
    assert run(build_axi(config, sim), "verif.core.axi_bench", env=env).tests == TESTS
