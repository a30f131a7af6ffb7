# SPDX-License-Identifier: Apache-2.0
"""Draft tables and weights whose choices survive int8.

Only the choice of a draft matters to a greedy loop, and the recorded counts belong to the float table's own choices. So
where rounding would swap the winner of a row with a rival, the winner is lifted by a few int8 steps.
"""

import numpy as np

from ga2.models.drafts import table_choices
from ga2.models.shapes import Array

INT8_MAX = 127
MARGIN_STEPS = 2.0
RIDGE = 0.01
ROUNDS = 32


def held(values: Array, axis: int | None = None) -> Array:
    """The values as symmetric int8 holds them: one scale in all, or one a column with axis = 0."""
    largest = np.abs(values).max(axis=axis)
    scale = np.where(largest > 0, largest, 1.0) / INT8_MAX
    return np.round(values / scale) * scale


def margins(logits: Array, choices: list[int]) -> Array:
    """By how much the chosen logit of each row exceeds the largest other."""
    rows = np.arange(len(logits))
    rivals = logits.copy()
    rivals[rows, choices] = -np.inf
    return logits[rows, choices] - rivals.max(axis=1)


def separated(table: Array) -> Array:
    """The table with every row's winner two int8 steps (of max|L| / 127) above its rivals; the same choices."""
    choices, lifted = table_choices(table), table.copy()
    margin = MARGIN_STEPS * np.abs(table).max() / INT8_MAX
    lifted[np.arange(len(table)), choices] += np.maximum(margin - margins(table, choices), 0.0)
    return lifted


def fitted_matmul_weight(embedding: Array, table: Array) -> Array:
    """Wd (D, V) near E^-1 L whose int8 form picks the choices of the separated table L.

    Solved against the embedding that the chip holds. An embedding that is nearly singular makes E^-1 L huge and its
    rounding error larger than the margins: a small ridge (1 % of a unit singular value) keeps Wd moderate, and rows
    that still lose are aimed higher, by what they lack, until none does. ValueError if some row never wins.
    """
    choices, goal, known = table_choices(table), table.copy(), held(embedding)
    solve = np.linalg.solve(known.T @ known + RIDGE**2 * np.eye(known.shape[1]), known.T)
    margin = MARGIN_STEPS * np.abs(table).max() / INT8_MAX
    for _ in range(ROUNDS):
        weight = solve @ goal
        lacking = margin - margins(known @ held(weight, axis=0), choices)
        if lacking.max() <= margin / 2:
            return weight
        goal[np.arange(len(goal)), choices] += np.maximum(lacking, 0.0)
    raise ValueError(f"no int8 matmul draft keeps the choice of row {int(lacking.argmax())} of this table")
