# SPDX-License-Identifier: Apache-2.0
"""Row invariance: every row of a block is bit-identical to the one-row step at its position, for every input.

This is what makes greedy speculation exact in int8. The inputs are chosen to hurt: random and sharp models, saturating
embeddings and weights, exact ties, every block size, caches from empty to long, contents that no decoding would make.
"""

import numpy as np
import pytest

from ga2.models.calibration import target_ranges
from ga2.models.integer import IntegerCache, IntegerTarget
from ga2.models.shapes import VOCABULARY, WIDTH
from ga2.models.targets import make_target, successor

CACHE_LENGTHS = (0, 1, 3, 4, 7, 12, 31, 64)


def quantised(kind: str, seed: int) -> IntegerTarget:
    weights = make_target(kind, seed)
    return IntegerTarget(weights, target_ranges(kind, weights))


def saturating(seed: int) -> IntegerTarget:
    """Ranges far too small: x, scores, h, y and logits clip at both ends."""
    weights = make_target("sharp", seed)
    ranges = {role: limit / 4 for role, limit in target_ranges("sharp", weights).items()}
    return IntegerTarget(weights, ranges)


def with_ties(seed: int) -> IntegerTarget:
    """Output columns in equal pairs: the two largest logits tie exactly in every row."""
    weights = dict(make_target("random", seed))
    weights["Wout"] = np.repeat(weights["Wout"][:, ::2], 2, axis=1)
    return IntegerTarget(weights, target_ranges("random", weights))


def full_spread_cache(source: np.random.Generator, length: int) -> IntegerCache:
    """Arbitrary bytes, extremes included: no model made them, and invariance may not depend on that."""
    choose = np.array([-128, -127, -1, 0, 1, 126, 127], np.int8)
    keys, values = (source.choice(choose, (length, WIDTH)) for _ in range(2))
    return IntegerCache(keys, values)


def assert_rows_invariant(target: IntegerTarget, tokens: list[int], cache: IntegerCache) -> None:
    block = target.run_block(tokens, cache)
    for index, token in enumerate(tokens):
        row = target.run_block([token], cache)
        for part in ("logits", "k", "v", "attention"):
            np.testing.assert_array_equal(getattr(block, part)[index], getattr(row, part)[0], f"{part} of row {index}")
        assert block.choices[index] == row.choices[0]
        cache = cache.extended(row)


MODELS = {
    **{f"random {seed}": lambda seed=seed: quantised("random", seed) for seed in (1, 2, 30, 96, 147)},
    **{f"sharp {seed}": lambda seed=seed: quantised("sharp", seed) for seed in (2, 107)},
    "structured": lambda: quantised("structured", 1),
    "saturating": lambda: saturating(5),
    "ties": lambda: with_ties(4),
}


@pytest.mark.parametrize("name", MODELS)
def test_rows_of_a_block_equal_one_row_steps(name):
    target, source = MODELS[name](), np.random.default_rng(7)
    for length in CACHE_LENGTHS:
        made = target.fill_cache(list(source.integers(0, VOCABULARY, length)))
        for cache in (made, full_spread_cache(source, length)):
            for rows in (2, int(source.integers(3, 9))):
                assert_rows_invariant(target, [int(t) for t in source.integers(0, VOCABULARY, rows)], cache)


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 8])
def test_the_sliced_form_has_the_bits_of_the_causal_form(rows):
    weights, source = make_target("sharp", 2), np.random.default_rng(rows)
    ranges = target_ranges("sharp", weights)
    causal, sliced = IntegerTarget(weights, ranges), IntegerTarget(weights, ranges, rows)
    for length in CACHE_LENGTHS:
        tokens = [int(t) for t in source.integers(0, VOCABULARY, rows)]
        cache = full_spread_cache(source, length)
        one, other = causal.run_block(tokens, cache), sliced.run_block(tokens, cache)
        for part in ("logits", "k", "v", "attention", "choices"):
            np.testing.assert_array_equal(getattr(one, part), getattr(other, part))


def test_ties_go_to_the_lowest_index():
    target = with_ties(4)
    block = target.run_block([int(t) for t in range(VOCABULARY)])
    for logits, choice in zip(block.logits, block.choices, strict=True):
        assert choice % 2 == 0 and logits[choice] == logits[choice + 1] == logits.max()


def test_saturation_happens():
    target = saturating(5)
    block = target.run_block(list(range(8)))
    assert block.logits.max() == 127 and block.logits.min() == -128


def test_causality_in_integers():
    target = quantised("sharp", 2)
    cache = target.fill_cache([3, 8, 1, 12])
    base, last, third, first = (
        target.run_block(block, cache).logits for block in ([1, 2, 3, 4], [1, 2, 3, 12], [1, 2, 9, 4], [5, 2, 3, 4])
    )
    changed = [[not np.array_equal(*pair) for pair in zip(base, other, strict=True)] for other in (last, third, first)]
    assert changed == [[False, False, False, True], [False, False, True, True], [True, True, True, True]]


def test_the_structured_rule_holds_in_int8_for_every_start_and_cache_length():
    target, source = quantised("structured", 1), np.random.default_rng(3)
    for length in range(65):
        cache = target.fill_cache([int(t) for t in source.integers(0, VOCABULARY, length)])
        for token in range(VOCABULARY):
            assert target.run_block([token], cache).choices == [successor(token)]
