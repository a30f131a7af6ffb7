# SPDX-License-Identifier: Apache-2.0
"""The table of softmax's accuracy: every entry within what is stated, and a smaller table of exponentials not."""

import numpy as np
import pytest

from ga2.accuracy import softmax
from ga2.golden import numerics
from ga2.golden.numerics import exp_table


@pytest.mark.parametrize("scales", softmax.ranges())
def test_every_entry_is_within_the_stated_error(scales: tuple[float, float]) -> None:
    worst = {group: softmax.largest_error(*group, *scales) for group in softmax.GROUPS}
    assert max(worst.values()) <= softmax.STATED, worst


def test_the_groups_are_all_numbers_of_keys() -> None:
    assert [n for first, last in softmax.GROUPS for n in range(first, last + 1)] == list(range(1, 513))


def test_two_levels_are_what_softmax_rows_answers() -> None:
    """The vectorised rows against the instruction itself."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        n, scale, d = int(rng.integers(2, 513)), float(rng.choice(softmax.SCALES)), int(rng.integers(256))
        for top in {1, max(1, n // 2), n - 1}:
            row = np.full(n, 127 - d)
            row[:top] = 127
            scores = row.astype(np.int8)
            error = np.abs(softmax.probabilities(scores, scale) - softmax.exact(scores, scale)).max()
            assert error <= softmax.two_level_errors(np.array([n]), scale)[0] + 1e-12


def test_one_bit_less_of_the_exponentials_index_misses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numerics, "EXP_BITS", numerics.EXP_BITS - 1)
    monkeypatch.setattr(numerics, "_EXP_TABLE", exp_table(numerics.EXP_BITS))
    scales = [scale for between in softmax.ranges() for scale in softmax.scales_between(*between)]
    worst = max(softmax.two_level_errors(np.array([2, 4, 512]), scale).max() for scale in scales)
    assert worst > softmax.STATED
