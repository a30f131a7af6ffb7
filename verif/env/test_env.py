# SPDX-License-Identifier: Apache-2.0
"""The pyuvm environment in both simulators: random, faulty and interrupted programs, every scoreboard."""

import pytest

from ga2.sim import build_axi, build_core, build_hostile, run
from verif.programs.program import MEMORY_BYTES

PROGRAMS = {"icarus": "1", "verilator": "3"}  # a test
TESTS = 5  # of env_bench


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano", "small"])
def test_environment(config: str, sim: str) -> None:
    env = {"GA2_CONFIG": config, "GA2_FIRST_SEED": "100", "GA2_PROGRAMS": PROGRAMS[sim]}
    made = run(build_core(config, sim, memory_bytes=MEMORY_BYTES), "verif.env.env_bench", env=env)
    assert made.tests == TESTS


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano"])
@pytest.mark.parametrize("memory", ["hostile", "axi"])
def test_memory_waits_and_fails_in_the_middle_of_a_program(config: str, memory: str, sim: str) -> None:
    """Stalls come and go, then a reset; errors on a read and on a write; after each a program that is right."""
    builds = {
        "hostile": lambda: build_hostile(config, sim, memory_bytes=MEMORY_BYTES),
        "axi": lambda: build_axi(config, sim),
    }
    env = {"GA2_CONFIG": config, "GA2_FIRST_SEED": "101", "GA2_PROGRAMS": "1", "GA2_MEMORY": memory}
    assert run(builds[memory](), "verif.env.memory_bench", env=env).tests == 2
