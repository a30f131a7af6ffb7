# SPDX-License-Identifier: Apache-2.0
"""The target models: structured, random and sharp.

*structured* follows `f(t) = (5 t + 3) mod 16` whatever came before. *random* is Gaussian. *sharp* is random with Wq and
Wk multiplied by 4, so that attention is peaked and a wrong causal mask shows in the output.
"""

import random
from math import sqrt

import numpy as np

from ga2.models.shapes import HIDDEN, VOCABULARY, WEIGHT_SHAPES, WIDTH, Array, Weights

TARGET_KINDS = ("structured", "random", "sharp")

SHARPNESS = 4.0


def successor(token: int) -> int:
    """The structured rule f(t) = (5 t + 3) mod 16; its orbit from 0 visits all 16 tokens."""
    return (5 * token + 3) % VOCABULARY


def hadamard(size: int) -> Array:
    """Sylvester's Hadamard matrix of a power-of-two `size`, scaled to be orthonormal; symmetric, its own inverse."""
    matrix = np.ones((1, 1))
    while len(matrix) < size:
        matrix = np.kron(matrix, np.array([[1.0, 1.0], [1.0, -1.0]]))
    return matrix / sqrt(size)


def structured_target() -> dict[str, Array]:
    """A target that follows `successor` for every context, with a reason for every matrix.

    `token` maps a hidden vector to token coordinates (and back: it is its own inverse), so x = E[t] is the unit vector
    e_t there. The head compares t with the successor of every cached token: it looks for its predecessor. The
    attention output a is a distribution over tokens, and h = e_t - 0.15 a marks the attended tokens down. The first
    half of the feed-forward detects t and writes 2 e_f(t); the second half detects the marks, which are negative
    coordinates, and writes them elsewhere.

    The rule holds for any attention: a is non-negative with sum 1, hence h_t >= 0.85, the logit of f(t) is at least
    2 * 0.85 - 0.15 = 1.55, and any other is at most 1 + 0.5 * 0.15 = 1.075. Every entry of a matrix has one
    magnitude per row block, so int8 columns represent the weights almost exactly.
    """
    token = hadamard(WIDTH)
    follow = np.zeros((VOCABULARY, VOCABULARY))
    for t in range(VOCABULARY):
        follow[t, successor(t)] = 1.0
    return {
        "E": token.copy(),
        "Wq": 3.5 * token,
        "Wk": 3.5 * token @ follow,
        "Wv": token.copy(),
        "Wo": -0.15 * token,
        "W1": np.hstack([token, -token]),
        "W2": np.vstack([2.0 * follow @ token, 0.5 * follow @ follow @ token]),
        "Wout": token.copy(),
    }


def random_target(seed: int) -> dict[str, Array]:
    """A Gaussian target. The draw order (matrices, then rows) is part of its definition: a seed names one model."""
    source = random.Random(seed)
    deviations = {"E": 0.5, "Wout": 1 / sqrt(WIDTH)}
    deviations |= {name: 1 / sqrt(WIDTH) for name in ("Wq", "Wk", "Wv", "Wo", "W1")}
    deviations["W2"] = 1 / sqrt(HIDDEN)

    def draw(name: str) -> Array:
        rows, cols = WEIGHT_SHAPES[name]
        return np.array([[source.gauss(0, deviations[name]) for _ in range(cols)] for _ in range(rows)])

    return {name: draw(name) for name in deviations}


def sharp_target(seed: int) -> dict[str, Array]:
    """`random_target(seed)` with Wq and Wk multiplied by 4: scores 16 times as large."""
    weights = random_target(seed)
    return weights | {name: SHARPNESS * weights[name] for name in ("Wq", "Wk")}


def make_target(kind: str, seed: int) -> Weights:
    """The weights of one of `TARGET_KINDS`; `seed` is not used by the structured one. ValueError lists the kinds."""
    if kind == "structured":
        return structured_target()
    if kind == "random":
        return random_target(seed)
    if kind == "sharp":
        return sharp_target(seed)
    raise ValueError(f"unknown target '{kind}': choose one of {', '.join(TARGET_KINDS)}")
