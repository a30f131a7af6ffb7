# SPDX-License-Identifier: Apache-2.0
"""Compiled graphs around slice_rows on the RTL, in both simulators: the battery, every scoreboard, the interpreter."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ga2.sim import build_core, run
from ga2.slices.case import Case, draw_case
from ga2.slices.cross import Holes
from ga2.slices.on_rtl import MEMORY_BYTES, campaign
from ga2.slices.recipe import Run
from ga2.spec import CONFIG_NAMES, load_config

GRAPHS = {"verilator": 3, "icarus": 2}
RUNS = {"verilator": 3, "icarus": 1}
CONFIGS = {"verilator": CONFIG_NAMES, "icarus": ("nano", "wide")}


@pytest.mark.simulation
def test_the_scoreboard_of_the_graphs_sees_a_single_bit(sim: str, tmp_path: Path) -> None:
    recipe = draw_case(load_config("nano"), Case(1)).recipe
    runs = (Run(5, 2), Run(0, 1))
    source = tmp_path / "recipes"
    source.write_text(json.dumps([replace(recipe, runs=runs).to_json()]))
    env = {"GA2_CONFIG": "nano", "GA2_FIRST_SEED": "0", "GA2_PROGRAMS": "2", "GA2_SLICES": str(source)}
    build = build_core("nano", sim, memory_bytes=MEMORY_BYTES)
    assert run(build, "verif.slices.spoilt_bench", testcase="Spoilt", env=env).tests == 1


@pytest.mark.simulation
@pytest.mark.parametrize(("sim", "config"), [(sim, config) for sim in CONFIGS for config in CONFIGS[sim]])
def test_graphs(sim: str, config: str) -> None:
    size = load_config(config)
    summary = campaign(size, sim, range(1, 1 + GRAPHS[sim]), RUNS[sim], Holes(size), lambda _: None)
    assert not summary.failed, [(one.case, one.problems) for one in summary.failed]
    assert len(summary.played) == GRAPHS[sim] and summary.holes.hit >= GRAPHS[sim]
