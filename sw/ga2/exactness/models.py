# SPDX-License-Identifier: Apache-2.0
"""Models that are made to hurt: every target kind, clipped and full-spread ranges, exact ties, raw weight bytes."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from capra import compile_model
from ga2.models.calibration import Ranges, largest, target_ranges
from ga2.models.draft_int8 import separated
from ga2.models.drafts import make_table, table_choices
from ga2.models.shapes import Weights
from ga2.models.targets import make_target, sharp_target
from ga2.spec import load_config
from ga2.speculation.session import Session

CLIPPED = 4.0  # how many times too small the ranges of the saturating model are
SPREAD = 64.0  # the same for the scores of the model whose scores fill the whole byte
EXTREMES = (-128, -127, -1, 0, 1, 126, 127)

Made = tuple[Weights, Ranges]


def _target(kind: str) -> Callable[[int], Made]:
    def make(seed: int) -> Made:
        weights = make_target(kind, seed)
        return weights, target_ranges(kind, weights)

    return make


def _saturating(seed: int) -> Made:
    """Every tensor after the embedding clips at both ends."""
    weights = sharp_target(seed)
    return weights, {role: limit / CLIPPED for role, limit in target_ranges("sharp", weights).items()}


def _spread(seed: int) -> Made:
    """Scores from -128 to 127, so that most exponentials are 0 and the maximum decides everything."""
    weights = sharp_target(seed)
    ranges = target_ranges("sharp", weights)
    return weights, ranges | {"scores": ranges["scores"] / SPREAD}


def _level(seed: int) -> Made:
    """Queries of zero: all scores are equal."""
    weights = {**make_target("random", seed)}
    weights["Wq"] = np.zeros_like(weights["Wq"])
    return weights, target_ranges("random", weights)


def _ties(seed: int) -> Made:
    """Output columns in equal pairs: the largest logit is there twice in every row."""
    weights = {**make_target("random", seed)}
    weights["Wout"] = np.repeat(weights["Wout"][:, ::2], 2, axis=1)
    return weights, target_ranges("random", weights)


def _embedding(seed: int) -> Made:
    """Embeddings of the largest magnitude only."""
    weights = {**sharp_target(seed)}
    source = np.random.default_rng(seed)
    weights["E"] = source.choice([-1.0, 1.0], weights["E"].shape) * np.abs(weights["E"]).max()
    return weights, target_ranges("sharp", weights)


MAKERS: dict[str, Callable[[int], Made]] = {
    "structured": _target("structured"),
    "random": _target("random"),
    "sharp": _target("sharp"),
    "saturating": _saturating,
    "spread": _spread,
    "level": _level,
    "ties": _ties,
    "embedding": _embedding,
}
KINDS = tuple(MAKERS)


def extreme_bytes(source: np.random.Generator, size: tuple[int, ...]) -> NDArray[np.int8]:
    """Bytes at the ends of the range and around zero."""
    return source.choice(np.array(EXTREMES, np.int8), size)


def uniform_bytes(source: np.random.Generator, size: tuple[int, ...]) -> NDArray[np.int8]:
    """Any byte."""
    return source.integers(-128, 128, size, np.int8)


def level_bytes(source: np.random.Generator, size: tuple[int, ...]) -> NDArray[np.int8]:
    """One byte everywhere."""
    return np.full(size, source.integers(-128, 128), np.int8)


BYTES: dict[str, Callable[[np.random.Generator, tuple[int, ...]], NDArray[np.int8]]] = {
    "uniform": uniform_bytes,
    "extreme": extreme_bytes,
    "level": level_bytes,
}


@lru_cache(maxsize=128)
def hostile_session(config: str, kind: str, seed: int) -> Session:
    """A model of `KINDS` compiled for a configuration, with a draft table fitted to it. KeyError: a bad kind."""
    weights, ranges = MAKERS[kind](seed)
    table = separated(make_table(kind, weights, 0.0, seed))
    limits = ranges | {"draft_table": largest(table)}
    model = compile_model(load_config(config), weights, limits, {"table": table})
    return Session(model, "table", tuple(table_choices(table)))


def with_raw_weights(session: Session, how: str, source: np.random.Generator) -> Session:
    """The session with every byte of its weights and embeddings drawn anew (how: a name in `BYTES`).

    No quantiser makes such a model: -128 is among the bytes, and nothing is calibrated.
    """
    memory = {
        address: BYTES[how](source, (len(data),)).tobytes() for address, data in session.model.memory.items()
    }
    return replace(session, model=replace(session.model, memory=memory))
