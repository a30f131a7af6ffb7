# SPDX-License-Identifier: Apache-2.0
"""Random programs on the RTL against the golden model and the timing model, in both simulators."""

import pytest

from ga2.sim import build_core, run
from ga2.spec import CONFIG_NAMES
from verif.programs.program import MEMORY_BYTES

# Icarus simulates the larger arrays some hundred times slower than Verilator.
PROGRAMS = {
    "icarus": {"nano": 4, "wide": 2, "small": 1, "base": 1},
    "verilator": {"nano": 20, "wide": 12, "small": 12, "base": 8},
}


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_random_programs(sim: str, config: str) -> None:
    env = {"GA2_CONFIG": config, "GA2_FIRST_SEED": "0", "GA2_PROGRAMS": str(PROGRAMS[sim][config])}
    run(build_core(config, sim, memory_bytes=MEMORY_BYTES), "verif.core.program_bench", env=env)
