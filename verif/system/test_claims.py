# SPDX-License-Identifier: Apache-2.0
"""Row invariance, causality, the chained draft and the overlap with loads on the RTL, in both simulators."""

import pytest

from ga2.decoding.backends import MEMORY_BYTES
from ga2.sim import build_core, run

# Cache lengths and block sizes: Icarus is some twenty times slower.
SAMPLE = {
    "icarus": {"GA2_CACHES": "5", "GA2_BLOCKS": "3 5"},
    "verilator": {"GA2_CACHES": "0 1 12 56", "GA2_BLOCKS": "1 2 3 4 5 6 7 8"},
}
TESTS = 4  # of claims_bench


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano"])
def test_claims(config: str, sim: str) -> None:
    made = build_core(config, sim, memory_bytes=MEMORY_BYTES)
    assert run(made, "verif.system.claims_bench", env={"GA2_CONFIG": config, **SAMPLE[sim]}).tests == TESTS
