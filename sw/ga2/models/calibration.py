# SPDX-License-Identifier: Apache-2.0
"""Ranges of the tensor roles, from which the compiler makes one quantisation spec for the model.

The float host loop runs from every start token with the target's own noise-free draft, rejected rows included. The
draft under test has no part in it: a model has one spec, whatever proposes its tokens, so the plain tokens of the
chip are the same beside every draft.
"""

from dataclasses import fields

import numpy as np

from ga2.device.protocol import run_sync
from ga2.models.drafts import make_table
from ga2.models.reference import BlockTrace
from ga2.models.shapes import VOCABULARY, Array, Weights
from ga2.speculation.greedy import play
from ga2.speculation.players import FloatPlayer

CALIBRATION_TOKENS = 32
CALIBRATION_GUESSES = 3

Ranges = dict[str, float]


def largest(tensor: Array) -> float:
    """The largest magnitude; entries that are NaN (scores that a row may not see) do not count."""
    return float(np.nanmax(np.abs(tensor)))


def trace_ranges(traces: list[BlockTrace]) -> Ranges:
    """The largest magnitude of every tensor role over some blocks: x, q, k, v, scores, attention, h, f, y, logits..."""
    return {
        field.name: max(largest(getattr(trace, field.name)) for trace in traces) for field in fields(BlockTrace)
    }


def target_ranges(kind: str, weights: Weights) -> Ranges:
    """Role -> largest magnitude over float runs of the host loop from all starts (scores after the 1/sqrt(D))."""
    table = make_table(kind, weights, noise=0.0, seed=1)
    traces: list[BlockTrace] = []
    for start in range(VOCABULARY):
        player = FloatPlayer(weights, table)
        run_sync(play(player, k=CALIBRATION_GUESSES, start=start, tokens=CALIBRATION_TOKENS))
        traces += player.traces
    return trace_ranges(traces)


def draft_ranges(embedding: Array, weight: Array, table: Array) -> Ranges:
    """Ranges of the logits of a draft's two forms: of E Wd, and of the table."""
    return {"draft_logits": largest(embedding @ weight), "draft_table": largest(table)}
