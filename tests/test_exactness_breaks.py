# SPDX-License-Identifier: Apache-2.0
"""Cores that break the claim, one way each: the exactness cases must catch every one of them.

A break changes the golden core alone; the integer interpreter of the graph stays as it is.
"""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from ga2.exactness.campaign import Task, on_golden
from ga2.exactness.models import hostile_session
from ga2.golden import execute, numerics
from ga2.spec import load_config
from ga2.timing.ops import LdOp, StOp

CONFIG = load_config("nano")
SEED, CASES = 3, 24  # a sound core passes them all
KEY_WORDS = 16 // CONFIG.cols  # scratchpad words of a cached row


def in_the_cache(address):
    window = hostile_session("nano", "random", 1).model.windows[1]
    return window.base <= address < window.base + window.size


def arithmetic(monkeypatch, **functions):
    monkeypatch.setattr(execute, "numerics", SimpleNamespace(**{**vars(numerics), **functions}))


def softmax_lengths(change):
    """Softmax with other row lengths: change(lengths, columns)."""

    def install(monkeypatch):
        def rows(scores, lengths, emul, scale, norm=False):
            return numerics.softmax_rows(scores, change(np.array(lengths), scores.shape[1]), emul, scale, norm)

        arithmetic(monkeypatch, softmax_rows=rows)

    return install


def one_longer(lengths, columns):
    return np.minimum(lengths + (np.arange(len(lengths)) > 0), columns)


def one_shorter(lengths, _columns):
    return lengths - (np.arange(len(lengths)) > 0)


def everything(lengths, columns):
    return np.full_like(lengths, columns)


def maximum_of_the_block(monkeypatch):
    """All rows subtract the largest score that any row may see."""

    def rows(scores, lengths, emul, scale, norm=False):
        valid = np.arange(scores.shape[1]) < np.asarray(lengths)[:, np.newaxis]
        top = np.where(valid, scores.astype(np.int64), -128).max()
        e16 = np.where(valid, numerics.softmax_exp(np.where(valid, top - scores.astype(np.int64), 0), emul), 0)
        sums = np.maximum(e16.sum(axis=1), 1)
        return numerics.exp_byte(e16), np.minimum(numerics.RM_MAX, (np.int64(scale) << numerics.RM_FRACTION) // sums)

    arithmetic(monkeypatch, softmax_rows=rows)


def matmul(change):
    """A product with changed operands: change(left, keywords) in place."""

    def install(monkeypatch):
        def product(left, right, bias, mult, shift, **keywords):
            left, mult, shift = change(left, np.array(mult), np.array(shift), keywords)
            return numerics.matmul(left, right, bias, mult, shift, **keywords)

        arithmetic(monkeypatch, matmul=product)

    return install


def row_multiplier_of_the_tile(left, mult, shift, keywords):
    if keywords["rowmul"] is not None:
        first = np.arange(len(left)) // CONFIG.rows * CONFIG.rows
        keywords["rowmul"] = np.asarray(keywords["rowmul"])[first]
    return left, mult, shift


def column_constants_of_the_tile(left, mult, shift, keywords):
    first = np.arange(len(mult)) // CONFIG.cols * CONFIG.cols
    return left, mult[first], shift[first]


def stale_accumulator(left, mult, shift, keywords):
    """The second row tile starts from the sums of the first."""
    wide = left.astype(np.int32)
    wide[CONFIG.rows :] += wide[: -CONFIG.rows or None][: len(wide) - CONFIG.rows]
    return (wide if len(left) > CONFIG.rows else left), mult, shift


def append_one_row_late(monkeypatch):
    original = execute.EXECUTE[StOp]

    def store(op, machine):
        late = in_the_cache(op.ext_addr)
        original(replace(op, ext_addr=op.ext_addr + KEY_WORDS * CONFIG.cols) if late else op, machine)

    monkeypatch.setitem(execute.EXECUTE, StOp, store)


def cache_one_row_short(monkeypatch):
    """A cache whose rows end with an array tile is read without its last row."""
    original = execute.EXECUTE[LdOp]

    def load(op, machine):
        short = in_the_cache(op.ext_addr) and op.words > KEY_WORDS and op.words % (KEY_WORDS * CONFIG.cols) == 0
        original(replace(op, words=op.words - KEY_WORDS) if short else op, machine)

    monkeypatch.setitem(execute.EXECUTE, LdOp, load)


def highest_index_on_ties(monkeypatch):
    arithmetic(monkeypatch, argmax_rows=lambda x: x.shape[1] - 1 - np.asarray(x)[:, ::-1].argmax(axis=1))


BREAKS = {
    "softmax one key longer for rows above 0": (softmax_lengths(one_longer), "row"),
    "softmax one key shorter for rows above 0": (softmax_lengths(one_shorter), "row"),
    "no causal mask": (softmax_lengths(everything), "with other tokens"),
    "the block's maximum for every row": (maximum_of_the_block, "row"),
    "the row tile's first multiplier for its rows": (matmul(row_multiplier_of_the_tile), "row"),
    "the column tile's first constants for its columns": (matmul(column_constants_of_the_tile), "the graph means"),
    "keys and values appended at LEN + 1": (append_one_row_late, "cache"),
    "the cache read one row short at a tile boundary": (cache_one_row_short, "row"),
    "the highest index on ties": (highest_index_on_ties, "choice"),
    "a stale accumulator from ROWS rows on": (matmul(stale_accumulator), "row"),
}


def problems(index):
    (verdict,) = on_golden("nano", SEED, [Task(index)], lambda _: None)
    return verdict.problems


def test_a_sound_core_passes():
    assert [line for index in range(CASES) for line in problems(index)] == []


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_core_is_caught(name, monkeypatch):
    install, sign = BREAKS[name]
    install(monkeypatch)
    assert any(sign in line for index in range(CASES) for line in problems(index))
