# SPDX-License-Identifier: Apache-2.0
"""Every configuration at the largest sizes that it promises, in both simulators."""

import pytest

from ga2.decoding.backends import MEMORY_BYTES
from ga2.sim import build_core, run
from ga2.spec import CONFIG_NAMES


@pytest.mark.simulation
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_capacity(config: str, sim: str) -> None:
    made = build_core(config, sim, memory_bytes=MEMORY_BYTES)
    assert run(made, "verif.system.capacity_bench", env={"GA2_CONFIG": config}).tests == 1
