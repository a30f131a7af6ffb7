# SPDX-License-Identifier: Apache-2.0
"""The recorded checks of speculation on the RTL, in both simulators."""

import pytest

from ga2.decoding.backends import MEMORY_BYTES
from ga2.sim import build_core, run

TESTS = 4  # of checks_bench
TOKENS = {"icarus": 4, "verilator": 20}  # Icarus is some twenty times slower


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano"])
def test_recorded_checks(config: str, sim: str) -> None:
    made = build_core(config, sim, memory_bytes=MEMORY_BYTES)
    plusargs = [f"+tokens={TOKENS[sim]}"]
    assert run(made, "verif.system.checks_bench", env={"GA2_CONFIG": config}, plusargs=plusargs).tests == TESTS
