# SPDX-License-Identifier: Apache-2.0
"""Steering: the same number of programs hits more of the bins that are wanted."""

import json

from ga2.golden.resolve import State
from ga2.spec import load_config
from verif.coverage import dimension_bins, operand_bins, pair_bins
from verif.coverage.context import contexts, predicted
from verif.coverage.instruction_bins import instruction_bins
from verif.programs.case import Case
from verif.programs.draw import draw_case
from verif.programs.statistics import dispatched
from verif.programs.steering import hole_score, score_for

CONFIG = load_config("nano")
PARTS = (dimension_bins, operand_bins, pair_bins)
WANTED = frozenset(f"{point}/{name}" for part in PARTS for point, names in part.POINTS.items() for name in names)
PROGRAMS = range(6)


def hit(cases: list[Case]) -> int:
    """How many of the wanted bins the programs hit."""
    names: set[str] = set()
    for case in cases:
        program = case.to_program()
        resolved = dispatched(CONFIG, program)
        state = State(program.length, program.m, program.windows)
        for context in contexts(CONFIG, state, resolved, predicted(CONFIG, resolved)):
            names |= instruction_bins(context)
    return len(names & WANTED)


def test_steered_programs_hit_more() -> None:
    score = score_for(WANTED)
    steered = hit([draw_case(CONFIG, seed, "base", score) for seed in PROGRAMS])
    assert steered > 1.05 * hit([draw_case(CONFIG, seed, "base") for seed in PROGRAMS])


def test_holes_come_from_the_last_report(tmp_path) -> None:
    path = tmp_path / "holes.json"
    assert hole_score(path) is None
    path.write_text("[]")
    assert hole_score(path) is None
    path.write_text(json.dumps(sorted(WANTED)))
    assert hole_score(path) is not None
