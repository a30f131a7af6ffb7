# SPDX-License-Identifier: Apache-2.0
"""Random graphs around slice_rows through the battery on the golden model, and what each of its checks is for."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from capra import interpret
from capra.graph import Output
from ga2.sim.sources import ROOT
from ga2.slices.battery import check
from ga2.slices.bounds import hidden
from ga2.slices.case import Case, draw_case
from ga2.slices.cross import Holes, bin_of, every_bin, reported
from ga2.slices.draw import draw_from
from ga2.slices.facts import CONSUMERS, SOURCES
from ga2.slices.listing import listing
from ga2.slices.recipe import Recipe, without
from ga2.slices.scalar import interpret_again
from ga2.slices.shrink import shrink
from ga2.slices.subject import Refused, compile_recipe
from ga2.slices.summary import kept
from ga2.spec import CONFIG_NAMES, load_config

NANO = load_config("nano")
KEPT = sorted((ROOT / "verif" / "slices" / "kept").glob("*.json"))
"""Graphs that a campaign found, made small."""
PATIENT = settings(deadline=None, max_examples=25, print_blob=True, suppress_health_check=list(HealthCheck))


@given(st.sampled_from(CONFIG_NAMES), st.randoms(use_true_random=False), st.integers(0, 2**20))
@PATIENT
def test_any_graph_is_computed_as_its_interpreters_say(config: str, rng: Random, seed: int) -> None:
    size = load_config(config)
    recipe = draw_from(size, rng, None, seed)
    note(f"{recipe}")
    try:
        subject = compile_recipe(size, recipe)
    except Refused as error:
        assert "find no place" in str(error), error
        return
    assert not check(subject).problems


@pytest.mark.parametrize("source", SOURCES)
def test_every_use_of_every_source_in_every_place_compiles_and_is_right(source: str) -> None:
    """One graph for each source, consumer and position; blocks and caches in turn."""
    bins = [bin_ for bin_ in every_bin(NANO) if bin_.source == source]
    uses = sorted({(bin_.consumer, bin_.position) for bin_ in bins})
    for number, use in enumerate(uses):
        fitting = [bin_ for bin_ in bins if (bin_.consumer, bin_.position) == use]
        target = fitting[number % len(fitting)]
        drawn = draw_case(NANO, Case(1000 + number, target))
        hit = {bin_of(NANO, fact) for fact in drawn.subject.facts(drawn.recipe.runs[0]) if fact.crossed}
        assert target in hit
        few = replace(drawn.subject, recipe=replace(drawn.recipe, runs=drawn.recipe.runs[:2]))
        assert not check(few).problems, f"{target}\n{listing(drawn.subject)}"
    assert len(uses) == 5 * len(CONSUMERS)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_graph_passes(path: Path) -> None:
    config, recipe = kept(path)
    assert not check(compile_recipe(load_config(config), recipe)).problems


def test_scores_behind_the_mask_are_judged_where_something_else_reads_them() -> None:
    (path,) = (each for each in KEPT if each.stem == "scores_behind_the_mask")
    _, recipe = kept(path)
    subject = compile_recipe(load_config("wide"), recipe)
    graph, run = subject.program.graph, recipe.runs[0]
    (softmax,) = (node for node in graph.nodes if node.op == "softmax")
    scores = softmax.inputs[0]
    rows, cols = scores.shape.at(run.length, run.m)
    assert hidden(graph, scores, run.length, run.m).sum() == rows * (rows - 1) // 2 < rows * cols
    graph.outputs.append(Output("scores", scores))
    assert not hidden(graph, scores, run.length, run.m).any()


def test_a_case_is_a_pure_function_of_configuration_seed_and_bin() -> None:
    target = next(iter(every_bin(NANO)))
    first, second = (draw_case(NANO, Case(5, target)).recipe for _ in range(2))
    assert first == second and first == Recipe.from_json(first.to_json())
    assert draw_case(NANO, Case(6, target)).recipe != first


def test_graphs_hold_what_makes_views_hard() -> None:
    """Slices of slices, several uses of a source, blocks of prefix slices fused and not, unfused relu and residual."""
    seen: Counter[str] = Counter()
    for seed in range(40):
        subject = draw_case(NANO, Case(seed)).subject
        nodes = subject.program.graph.nodes
        views = [node for node in nodes if node.op == "slice_rows"]
        seen["slice of a slice"] += any(view.inputs[0].op == "slice_rows" for view in views)
        seen["two views of a source"] += len({view.inputs[0] for view in views}) < len(views)
        seen["block of prefix slices"] += any(node.name.endswith(".softmax") for node in nodes)
        seen["prefix slices kept"] += sum(node.role.endswith("_scores") for node in nodes) > 1
        seen["unfused"] += not subject.recipe.fused
        seen["start below its buffer"] += any(view.start.imm < 0 for view in views)
    assert all(count > 1 for count in seen.values()) and len(seen) == 6, seen


def test_steering_takes_holes_first_and_the_reports_before_others() -> None:
    every = list(every_bin(NANO))
    wanted = reported(NANO, every[-1])
    assert wanted == "slices/weight/argmax last m max LEN max"
    shared = {wanted}
    holes, others = Holes(NANO, shared), Holes(load_config("wide"), shared)
    rng = Random(0)
    assert {reported(NANO, holes.target(rng)) for _ in range(3)} == {wanted}
    drawn = draw_case(NANO, Case(1, every[-1]))
    facts = [fact for run in drawn.recipe.runs for fact in drawn.subject.facts(run)]
    holes.take(facts)
    assert every[-1] not in holes.left and holes.hit >= 1
    assert holes.target(rng) in holes.left
    targets = {reported(others.config, others.target(rng)) for _ in range(20)}
    assert not shared and targets != {wanted}, "what one configuration has hit is wanted of no other"


def test_the_second_interpreter_disagrees_with_other_numbers() -> None:
    """It is no copy of the first: other scales or other inputs give other bytes in both."""
    subject = draw_case(NANO, Case(3)).subject
    run = subject.recipe.runs[0]
    graph, spec, inputs = subject.program.graph, subject.model.spec, subject.bytes_of(run)
    again = interpret_again(graph, spec, inputs, run.length, run.m)
    shifted = {name: -values if values.dtype == np.int8 else values for name, values in inputs.items()}
    other = interpret(graph, spec, shifted, run.length, run.m)
    assert any(not np.array_equal(values, other[name]) for name, values in again.items())


def test_shrinking_keeps_what_fails_and_drops_the_rest() -> None:
    drawn = draw_case(NANO, Case(8))

    def has_argmax(recipe: Recipe) -> bool:
        try:
            graph = compile_recipe(NANO, recipe).program.graph
        except Refused:
            return False
        return any(node.op == "argmax" and node.inputs[0].op == "slice_rows" for node in graph.nodes)

    recipe = next(drawn.recipe for drawn in (draw_case(NANO, Case(seed)) for seed in range(60))
                  if has_argmax(drawn.recipe))  # fmt: skip
    small = shrink(recipe, has_argmax, 200)
    assert has_argmax(small) and len(small.runs) == 1 and small.runs[0].length == 0 and small.runs[0].m == 1
    assert len(small.steps) <= 8 and len(small.steps) < len(recipe.steps)
    assert without(drawn.recipe.steps, {0}) != drawn.recipe.steps
