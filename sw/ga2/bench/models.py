# SPDX-License-Identifier: Apache-2.0
"""The models of the bench: the tiny one, the same with its weights kept in the scratchpad, and one large layer."""

from functools import lru_cache

import numpy as np

from capra import CompiledModel
from capra.compile import compile_graphs
from capra.library import target_graph
from capra.resident import compile_resident
from ga2.models.calibration import Ranges
from ga2.models.shapes import Weights
from ga2.spec import load_config
from ga2.speculation.session import Session
from ga2.stimulus import build_session, tiny_graphs

RESIDENT_LEN = 64  # cached rows and the block's, at most
LAYER_WIDTH, LAYER_HIDDEN, LAYER_VOCABULARY = 96, 384, 96
_RANGE = 4.0  # of every tensor of the layer: of its embeddings it is four standard deviations
_ROLES = ("x", "q", "k", "v", "scores", "attention", "h", "f", "y", "logits")


def tiny_session(config: str) -> Session:
    """The tiny structured target with a noise-free draft."""
    return build_session(config)


@lru_cache
def resident_session(config: str) -> Session:
    """The same target in two programs: one loads the weights, the other finds them in the scratchpad.

    Compiled for short caches: at MAX_LEN keys, values and scores leave no room for weights on the smaller ones.
    """
    (target, *_), ranges = tiny_graphs()
    model = compile_resident(load_config(config).model_copy(update={"max_len": RESIDENT_LEN}), target, ranges)
    return Session(model, "none", build_session(config).table_choice)


def layer_weights(seed: int = 1) -> Weights:
    """Gaussian weights of one layer whose sums keep the size of their operands, drawn in the order of the names."""
    width, hidden, vocabulary = LAYER_WIDTH, LAYER_HIDDEN, LAYER_VOCABULARY
    shapes = {"E": (vocabulary, width), **dict.fromkeys(("Wq", "Wk", "Wv", "Wo"), (width, width)),
              "W1": (width, hidden), "W2": (hidden, width), "Wout": (width, vocabulary)}  # fmt: skip
    source = np.random.default_rng(seed)
    deviation = {name: 1.0 if name == "E" else shape[0] ** -0.5 for name, shape in shapes.items()}
    return {name: source.normal(0.0, deviation[name], shape) for name, shape in shapes.items()}


@lru_cache
def layer_session(config: str) -> Session:
    """One layer of 119,808 weights, which stream through the scratchpad. Bytes don't change its cycles."""
    ranges: Ranges = dict.fromkeys(_ROLES, _RANGE)
    model: CompiledModel = compile_graphs(load_config(config), [target_graph(layer_weights())], ranges)
    return Session(model, "none", tuple(range(LAYER_VOCABULARY)))
