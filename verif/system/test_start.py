# SPDX-License-Identifier: Apache-2.0
"""A simulation starts with whatever its registers hold: in Verilator at random, by the seed."""

import pytest

from ga2.decoding.backends import MEMORY_BYTES
from ga2.sim import build_core, run

SEEDS = {"icarus": [1], "verilator": range(1, 9)}  # Icarus knows no seed: every register is X


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano"])
def test_any_registers_before_the_reset(config: str, sim: str) -> None:
    made = build_core(config, sim, memory_bytes=MEMORY_BYTES)
    for seed in SEEDS[sim]:
        assert run(made, "verif.system.start_bench", env={"GA2_CONFIG": config}, seed=seed).tests == 1
