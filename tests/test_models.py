# SPDX-License-Identifier: Apache-2.0
"""The float models: their recorded facts, block form against one-row form, and that every part of them matters."""

import numpy as np
import pytest

from ga2.models.calibration import draft_ranges, target_ranges, trace_ranges
from ga2.models.draft_int8 import fitted_matmul_weight, held, margins, separated
from ga2.models.drafts import (
    fitted_table,
    make_table,
    structured_table,
    table_choices,
    with_noise,
)
from ga2.models.reference import fill_cache, greedy_tokens, run_block
from ga2.models.shapes import VOCABULARY, WEIGHT_SHAPES, check_weights
from ga2.models.targets import (
    TARGET_KINDS,
    hadamard,
    make_target,
    random_target,
    sharp_target,
    structured_target,
    successor,
)


@pytest.mark.parametrize("kind", TARGET_KINDS)
def test_every_target_has_the_shapes_of_the_model(kind):
    weights = make_target(kind, 3)
    check_weights(weights)
    assert set(weights) == set(WEIGHT_SHAPES)
    assert sum(weights[name].size for name in weights if name != "E") == 2304
    assert all(np.any(matrix) for matrix in weights.values())


def test_check_weights_names_the_weight():
    weights = structured_target()
    with pytest.raises(ValueError, match="W1 is missing"):
        check_weights({name: value for name, value in weights.items() if name != "W1"})
    with pytest.raises(ValueError, match=r"Wq has shape \(3, 3\)"):
        check_weights(weights | {"Wq": np.zeros((3, 3))})
    with pytest.raises(ValueError, match="Wo holds a value that is not finite"):
        check_weights(weights | {"Wo": np.full((16, 16), np.nan)})
    with pytest.raises(ValueError, match="choose one of structured, random, sharp"):
        make_target("blunt", 1)


def test_structured_orbit_visits_every_token():
    orbit, token = set(), 0
    for _ in range(VOCABULARY):
        orbit.add(token)
        token = successor(token)
    assert orbit == set(range(VOCABULARY)) and token == 0


def test_embedding_is_orthonormal_and_its_own_inverse():
    matrix = hadamard(16)
    assert np.array_equal(matrix @ matrix, np.eye(16)) and np.array_equal(matrix, matrix.T)


def test_structured_rule_holds_after_any_cache():
    weights, source = structured_target(), np.random.default_rng(0)
    for cached in range(65):
        cache = fill_cache(weights, list(source.integers(0, VOCABULARY, cached)))
        for token in range(VOCABULARY):
            logits = run_block(weights, [token], cache).logits[0]
            assert logits[successor(token)] >= 1.55 - 1e-9
            assert np.delete(logits, successor(token)).max() <= 1.075 + 1e-9


@pytest.mark.parametrize("name", ["Wq", "Wk", "Wv", "Wo", "W1", "W2", "Wout"])
def test_every_matrix_of_the_structured_target_shows_in_its_logits(name):
    weights = structured_target()
    context, block = [0, 3, 2, 13, 13, 4], [4, 7, 6]
    whole = run_block(weights, block, fill_cache(weights, context)).logits
    without = weights | {name: np.zeros_like(weights[name])}
    assert np.abs(run_block(without, block, fill_cache(without, context)).logits - whole).max() > 0.02


def test_residuals_and_relu_of_the_structured_target_show():
    weights = structured_target()
    trace = run_block(weights, [0, 3], fill_cache(weights, [6, 1, 8]))
    without_relu = trace.h + trace.h @ weights["W1"] @ weights["W2"]
    without_h = trace.f @ weights["W2"]
    marks = trace.attention @ weights["Wo"]
    without_x = marks + np.maximum(marks @ weights["W1"], 0.0) @ weights["W2"]
    for y in (without_relu, without_h, without_x):
        assert np.abs(y @ weights["Wout"] - trace.logits).max(axis=1).min() > 0.02


def test_random_target_seed_1_follows_the_recorded_tokens():
    weights = random_target(1)
    assert greedy_tokens(weights, 0, 12) == [5, 3, 13, 9, 1, *[11] * 7]
    assert run_block(weights, [9, 10, 9, 10], fill_cache(weights, [0, 5, 3, 13])).choices == [1, 11, 10, 11]


def test_random_target_near_tie_after_9():
    weights = random_target(1)
    logits = run_block(weights, [9], fill_cache(weights, [0, 5, 3, 13])).logits[0]
    assert logits[1] - logits[10] == pytest.approx(0.0035, abs=5e-5)


def test_sharp_target_scales_the_scores_by_16():
    soft, sharp = random_target(2), sharp_target(2)
    changed = [name for name in soft if not np.array_equal(soft[name], sharp[name])]
    assert changed == ["Wq", "Wk"]
    scores = [run_block(weights, [1, 2]).scores for weights in (soft, sharp)]
    np.testing.assert_allclose(scores[1], 16 * scores[0], equal_nan=True)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("rows", [1, 2, 4, 5])
def test_block_form_equals_sequential_form(seed, rows):
    weights = sharp_target(seed) if seed == 2 else random_target(seed)
    cache = fill_cache(weights, [3, 8, 1, 12])
    tokens = [9, 10, 9, 4, 2][:rows]
    block = run_block(weights, tokens, cache)
    for index, token in enumerate(tokens):
        row = run_block(weights, [token], cache)
        for part in ("logits", "k", "v", "attention"):
            np.testing.assert_allclose(getattr(block, part)[index], getattr(row, part)[0], atol=1e-9, rtol=0)
        cache = cache.extended(row.k, row.v)


def test_a_row_sees_itself_and_nothing_later():
    weights = sharp_target(2)
    cache = fill_cache(weights, [3, 8, 1, 12])
    logits = {block: run_block(weights, block, cache).logits for block in [(1, 2, 3, 4), (1, 2, 3, 12), (1, 2, 9, 4)]}
    first, later, third = logits.values()
    assert np.array_equal(first[:3], later[:3]) and not np.array_equal(first[3], later[3])
    assert np.array_equal(first[:2], third[:2]) and np.abs(first[2:] - third[2:]).max(axis=1).min() > 1e-3


def test_a_block_refuses_ids_outside_the_vocabulary():
    for tokens in ([], [16], [-1]):
        with pytest.raises(ValueError, match=r"0\.\.15"):
            run_block(structured_target(), tokens)


def test_fitted_table_of_seed_1_has_one_tie():
    table = fitted_table(random_target(1))
    ties = [
        (token, [int(v) for v in np.flatnonzero(row == row.max())])
        for token, row in enumerate(table)
        if np.count_nonzero(row == row.max()) > 1
    ]
    assert ties == [(1, [9, 11])]
    assert table_choices(table)[1] == 9


def test_noise_is_drawn_row_by_row_even_at_zero():
    table = structured_table()
    assert np.array_equal(with_noise(table, 0.0, 1), table)
    np.testing.assert_allclose(with_noise(table, 6.0, 1) - table, 2 * (with_noise(table, 3.0, 1) - table))


@pytest.mark.parametrize("noise", [0.0, 3.0])
def test_matmul_form_gives_the_table_through_the_embedding(noise):
    embedding = structured_target()["E"]
    table = separated(make_table("structured", structured_target(), noise, 1))
    weight = fitted_matmul_weight(embedding, table)
    np.testing.assert_allclose(embedding @ weight, table, atol=0.02 * np.abs(table).max())


@pytest.mark.parametrize("noise", [0.0, 3.0, 6.0])
@pytest.mark.parametrize("seed", range(5))
def test_separated_table_keeps_its_choices_in_int8(noise, seed):
    table = with_noise(fitted_table(random_target(1)), noise, seed)
    apart = separated(table)
    rounded = np.round(apart * 127 / np.abs(apart).max())
    assert table_choices(rounded) == table_choices(table)
    assert np.abs(apart - table).max() <= 2.0 * np.abs(table).max() / 127 + 1e-12


def test_calibration_covers_every_role_and_every_visible_score():
    weights = random_target(1)
    ranges = target_ranges("random", weights)
    assert set(ranges) >= {"x", "q", "k", "v", "scores", "attention", "h", "f", "y", "logits"}
    assert ranges["x"] == np.abs(weights["E"]).max()
    assert ranges["k"] == pytest.approx(np.abs(weights["E"] @ weights["Wk"]).max())
    assert all(np.isfinite(value) and value > 0 for value in ranges.values())


def test_calibration_ignores_scores_that_a_row_may_not_see():
    trace = run_block(random_target(1), [1, 2, 3])
    assert np.isnan(trace.scores[0, 2]) and trace.probabilities[0, 2] == 0
    assert trace_ranges([trace])["scores"] == np.nanmax(np.abs(trace.scores))


def test_draft_ranges_name_both_forms():
    table = structured_table()
    assert draft_ranges(np.eye(16), 2 * table, table) == {"draft_logits": 16.0, "draft_table": 8.0}


FIT_CASES = [("structured", 1), ("random", 1), ("random", 30), ("random", 96), ("sharp", 2)]


@pytest.mark.parametrize(("kind", "seed"), FIT_CASES)
def test_fitted_matmul_draft_keeps_the_choices_in_int8(kind, seed):
    weights = make_target(kind, seed)
    for noise in (0.0, 3.0):
        table = make_table(kind, weights, noise, 1)
        weight = fitted_matmul_weight(weights["E"], separated(table))
        logits = held(weights["E"]) @ held(weight, axis=0)
        assert margins(logits, table_choices(table)).min() > np.abs(table).max() / 127 - 1e-9


def test_a_table_that_no_matmul_can_give_is_refused():
    singular = np.ones((16, 16))
    with pytest.raises(ValueError, match="no int8 matmul draft"):
        fitted_matmul_weight(singular, structured_table())
