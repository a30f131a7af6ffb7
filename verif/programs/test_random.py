# SPDX-License-Identifier: Apache-2.0
"""Generated programs in the environment, a portion of `make random`; the kept cases, each found once or thought of."""

import json
from pathlib import Path

import pytest

from ga2.generated.campaign import Plan, perform
from ga2.spec import load_config
from verif.programs.case import load_case
from verif.programs.golden_run import run_golden

KEPT = sorted(Path(__file__).with_name("kept").glob("*.json"))
# Icarus simulates the larger arrays some hundred times slower than Verilator.
PROGRAMS = {
    "icarus": {"nano": 4, "wide": 2, "small": 1, "base": 1},
    "verilator": {"nano": 20, "wide": 10, "small": 10, "base": 6},
}
SETTINGS = {"nano": "default", "wide": "collisions", "small": "edges", "base": "default"}


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano", "wide", "small", "base"])
def test_random_programs(config: str, sim: str) -> None:
    plan = Plan(config, sim, SETTINGS[config])
    cases = perform(plan, range(PROGRAMS[sim][config]), 1, lambda _: None, lambda _: None)
    assert [f"{case.name}: {case.problem}" for case in cases if not case.passed] == []
    assert len(cases) == PROGRAMS[sim][config]


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano"])
def test_kept_cases(config: str, sim: str) -> None:
    cases = perform(Plan(config, sim, "", tuple(KEPT)), range(len(KEPT)), 1, lambda _: None, lambda _: None)
    assert [f"{case.name}: {case.problem}" for case in cases if not case.passed] == []
    assert len(cases) == len(KEPT) >= 3


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_case_says_what_it_is_about_and_how_it_ends(path: Path) -> None:
    case = load_case(path)
    run = run_golden(load_config(case.config), case.to_program())
    assert case.about and not run.core.undefined_reads
    assert (run.outcome.fault is not None) == (case.end.kind == "fault")
    assert path.read_text() == case.to_json(), f"{path.name}: not as ga2 writes it"
    assert json.loads(path.read_text())["config"] == "nano"


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano"])
def test_programs_on_a_memory_that_pauses(config: str) -> None:
    cases = perform(Plan(config, "verilator", "default", stalls=True), range(8), 1, lambda _: None, lambda _: None)
    assert [f"{case.name}: {case.problem}" for case in cases if not case.passed] == []
