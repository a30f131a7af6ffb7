# SPDX-License-Identifier: Apache-2.0
"""About how many cycles an operation takes, so that a program stays within what its settings allow."""

from ga2.golden.resolve import Resolved
from ga2.golden.shapes import words_of
from ga2.spec import Config
from ga2.timing.ops import LdOp, MmOp, SmOp, StOp, VecOp

LATENCY = 20  # of a memory access or a pipeline
DIVISION = 40  # a softmax row's


def cycles(config: Config, resolved: Resolved) -> int:
    """Cycles of the operation alone; the timing model knows them exactly, and how they overlap."""
    op = resolved.op
    if isinstance(op, LdOp | StOp):
        return LATENCY + op.rows * max(op.words * config.beats_per_word, 2)
    if isinstance(op, MmOp):
        drain = config.rows * (config.cols // config.lanes)
        tiles = words_of(op.n, config.cols) * -(-op.m // config.rows)
        return LATENCY + tiles * max(config.cols * words_of(op.k, config.cols), drain)
    if isinstance(op, SmOp):
        return LATENCY + op.rows * (2 * words_of(op.n, config.cols) + DIVISION)
    if isinstance(op, VecOp):
        return LATENCY + op.rows * words_of(op.n, config.cols)
    return 0
