# SPDX-License-Identifier: Apache-2.0
"""Every counter of a verifier pass is the timing model's, for every block size up to twice the array's height."""

import pytest

from ga2.cost.measure import measure, problems
from ga2.cost.points import CACHES, block_sizes, passes
from ga2.spec import load_config

ICARUS_CACHE = CACHES[0]  # the others are Verilator's: Icarus is some twenty times slower


@pytest.mark.simulation
def test_every_block_size_on_nano(sim: str) -> None:
    wanted = passes("nano")
    if sim == "icarus":
        wanted = [(ICARUS_CACHE, m) for m in block_sizes(load_config("nano"))]
    measured = measure("nano", sim, wanted, lambda _: None)
    assert [(one.cache, one.rows) for one in measured] == wanted
    assert problems("nano", measured) == []


@pytest.mark.simulation
@pytest.mark.parametrize(("config", "sim"), [(name, "verilator") for name in ("wide", "small", "base")])
def test_around_the_array_height(config: str, sim: str) -> None:
    rows = load_config(config).rows
    wanted = [(cache, m) for cache in CACHES for m in (1, rows, rows + 1) if m in block_sizes(load_config(config))]
    assert problems(config, measure(config, sim, wanted, lambda _: None)) == []
