# SPDX-License-Identifier: Apache-2.0
"""The pyuvm environment in both simulators: random, faulty and interrupted programs, every scoreboard."""

import pytest

from ga2.sim import build_core, run
from verif.programs.program import MEMORY_BYTES

PROGRAMS = {"icarus": "1", "verilator": "3"}  # a test
TESTS = 5  # of env_bench


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano", "small"])
def test_environment(config: str, sim: str) -> None:
    env = {"GA2_CONFIG": config, "GA2_FIRST_SEED": "100", "GA2_PROGRAMS": PROGRAMS[sim]}
    made = run(build_core(config, sim, memory_bytes=MEMORY_BYTES), "verif.env.env_bench", env=env)
    assert made.tests == TESTS
