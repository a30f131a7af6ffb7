# SPDX-License-Identifier: Apache-2.0
"""Compiled graphs around slice_rows on the RTL, in both simulators: the battery, every scoreboard, the interpreter."""

import pytest

from ga2.slices.cross import Holes
from ga2.slices.on_rtl import campaign
from ga2.spec import CONFIG_NAMES, load_config

GRAPHS = {"verilator": 3, "icarus": 2}
RUNS = {"verilator": 3, "icarus": 1}
CONFIGS = {"verilator": CONFIG_NAMES, "icarus": ("nano", "wide")}


@pytest.mark.simulation
@pytest.mark.parametrize(("sim", "config"), [(sim, config) for sim in CONFIGS for config in CONFIGS[sim]])
def test_graphs(sim: str, config: str) -> None:
    size = load_config(config)
    summary = campaign(size, sim, range(1, 1 + GRAPHS[sim]), RUNS[sim], Holes(size), lambda _: None)
    assert not summary.failed, [(one.case, one.problems) for one in summary.failed]
    assert len(summary.played) == GRAPHS[sim] and summary.holes.hit >= GRAPHS[sim]
