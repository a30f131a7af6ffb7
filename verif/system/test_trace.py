# SPDX-License-Identifier: Apache-2.0
"""A trace on the RTL is the golden model's, cycles included; causality and the mask with it."""

import pytest

from ga2.tracing.backends import GOLDEN, trace
from ga2.tracing.perform import Wanted
from ga2.tracing.words import problems

BLOCKS = {"icarus": 1, "verilator": 3}


@pytest.mark.simulation
def test_a_trace(sim: str) -> None:
    wanted = Wanted(blocks=BLOCKS[sim])
    seen, golden = (trace("nano", on, wanted, lambda _: None) for on in (sim, GOLDEN))
    assert problems(seen) == []
    assert {**seen, "on": GOLDEN} == golden
