# SPDX-License-Identifier: Apache-2.0
"""Patience: a unit idles for something more urgent, within its limit, and nothing is lost or out of order."""

from functools import lru_cache

import pytest

from capra import Graph
from capra.lower import Lowered
from capra.ops import Op
from capra.passes import run_passes
from capra.schedule import schedule
from capra.tune import PATIENCE, choices, is_chained
from capra.verify import verify_order
from capra.work import Unit, Work
from ga2.spec import load_config
from ga2.stimulus import tiny_graphs

NANO = load_config("nano")


def graph_of(form: str, guesses: int) -> Graph:
    return tiny_graphs(blocks={form: (guesses,)})[0][-1]


@lru_cache
def lowered(form: str, guesses: int) -> Lowered:
    """A block as operations, weights panel by panel."""
    work = Work(NANO, tiny_graphs()[1], (Unit(graph_of(form, guesses)),))
    return next(made for each, made in run_passes(work) if each.name == "lower").units[0].lowered


def names(program: list[Op]) -> list[str]:
    return [op.node for op in program]


@pytest.mark.parametrize("patience", [0, 1, *PATIENCE, 10_000])
@pytest.mark.parametrize("prefetch", [0, 128, NANO.spad_words])
@pytest.mark.parametrize("form", ["matmul", "table"])
def test_every_order_is_sound(form: str, prefetch: int, patience: int) -> None:
    made = lowered(form, 2)
    line = schedule(made, NANO, prefetch, patience)
    verify_order(line.program, made)
    for op, earlier in made.after.items():
        assert all(line.done[before] <= line.start[op] for before in earlier)


def test_a_gather_by_a_new_id_is_not_kept_waiting_by_weights() -> None:
    """The second row of the table is gathered once the first guess is there; one weight less comes before it."""
    made = lowered("table", 2)
    starts, ahead = [], []
    for patience in (0, 16):
        line = schedule(made, NANO, NANO.spad_words, patience)
        index = names(line.program).index("row_1")
        starts.append(line.start[line.program[index]])
        ahead.append(sum(bool(op.weight) for op in line.program[:index]))
        ready = max(line.done[before] for before in made.after[line.program[index]])
    assert starts[1] == ready < starts[0]
    assert ahead[1] < ahead[0]


def test_scores_do_not_wait_for_a_product_that_has_time() -> None:
    """Once queries and keys are there the scores are next, though the values' product could start at once."""
    made = lowered("matmul", 2)
    hasty, patient = (names(schedule(made, NANO, NANO.spad_words, patience).program) for patience in (0, 48))
    assert hasty.index("scores") > hasty.index("v")
    assert patient.index("scores") < len(patient) - 1 - patient[::-1].index("v")


def test_only_chained_programs_ask_for_patience() -> None:
    for graph in tiny_graphs()[0]:
        chained = "chain" in graph.name
        assert is_chained(graph) == chained
        assert {choice.patience for choice in choices(NANO, graph)} == ({0, *PATIENCE} if chained else {0})
    assert is_chained(graph_of("table", 1))
