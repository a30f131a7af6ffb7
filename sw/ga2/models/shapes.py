# SPDX-License-Identifier: Apache-2.0
"""Sizes and weight shapes of the tiny language model: one layer, one head, no norm.

Row vectors throughout: a projection is `x @ W`. A model is a plain dict from weight name to float64 array, because
that is all that the compiler, the float reference and the calibration need to share.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

VOCABULARY = 16
WIDTH = 16
HIDDEN = 32

WEIGHT_SHAPES: dict[str, tuple[int, int]] = {
    "E": (VOCABULARY, WIDTH),
    "Wq": (WIDTH, WIDTH),
    "Wk": (WIDTH, WIDTH),
    "Wv": (WIDTH, WIDTH),
    "Wo": (WIDTH, WIDTH),
    "W1": (WIDTH, HIDDEN),
    "W2": (HIDDEN, WIDTH),
    "Wout": (WIDTH, VOCABULARY),
}

Array = NDArray[np.float64]
Weights = Mapping[str, Array]


def check_weights(weights: Weights) -> None:
    """ValueError naming the weight that is missing, has the wrong shape or holds a value that is not finite."""
    for name, shape in WEIGHT_SHAPES.items():
        if name not in weights:
            raise ValueError(f"weight {name} is missing: expected an array of shape {shape}")
        if weights[name].shape != shape:
            raise ValueError(f"weight {name} has shape {weights[name].shape}: expected {shape}")
        if not np.isfinite(weights[name]).all():
            raise ValueError(f"weight {name} holds a value that is not finite")
