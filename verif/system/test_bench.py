# SPDX-License-Identifier: Apache-2.0
"""Tasks of the speed bench on the RTL: every byte is the golden model's, every counter the timing model's."""

import pytest

from ga2.bench.measure import measure, problems

PASSES = ("step", "verifier", "guess", "chain")


@pytest.mark.simulation
def test_single_passes(sim: str) -> None:
    measured = measure("nano", sim, lambda _: None, PASSES)
    assert tuple(measured) == PASSES
    assert problems("nano", measured) == []


@pytest.mark.simulation
@pytest.mark.parametrize(("config", "sim", "task"), [("wide", "verilator", "resident"), ("base", "verilator", "layer")])
def test_resident_weights_and_the_layer(config: str, sim: str, task: str) -> None:
    """Icarus runs them in `make bench`: here it would take minutes."""
    assert problems(config, measure(config, sim, lambda _: None, (task,))) == []
