# SPDX-License-Identifier: Apache-2.0
"""The chained draft and the overlap with loads on the RTL, in both simulators."""

import pytest

from ga2.decoding.backends import MEMORY_BYTES
from ga2.sim import build_core, run

TESTS = 2  # of claims_bench


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano"])
def test_claims(config: str, sim: str) -> None:
    made = build_core(config, sim, memory_bytes=MEMORY_BYTES)
    assert run(made, "verif.system.claims_bench", env={"GA2_CONFIG": config}).tests == TESTS
