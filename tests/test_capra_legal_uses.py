# SPDX-License-Identifier: Apache-2.0
"""The rules of `capra.shapes`, one operation after another: the shape that a use has, or the whole error it gets.

An error names the node, its operands with their shapes, what is wrong and what would be right.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from capra import LEN, Affine, Graph, GraphError, M, Node
from capra.node import Shape
from capra.shapes import infer, is_ids
from capra.sizes import check_sizes

Build = Callable[[Graph], Node]


def known() -> Graph:
    """x (M, 16), keys (LEN+M, 16), ids (M, 1), a square weight w, and a softmax s of (M, LEN+M)."""
    graph = Graph("g")
    x, keys = graph.input("x", M, 16), graph.input("keys", LEN + M, 16)
    graph.input("ids", M, 1, kind="ids")
    graph.weight("w", np.eye(16))
    graph.softmax(graph.scores(x, keys, name="z"), name="s")
    graph.slice_rows(x, 0, 1, name="view")
    return graph


def residual(shape: Shape) -> Build:
    """A product that a residual of this shape is added to."""

    def build(graph: Graph) -> Node:
        product = graph.matmul(graph.node("x"), graph.node("w"), name="n")
        other = Node("r", "input", (), shape, "r")
        merged = replace(product, residual=True, inputs=(*product.inputs, other))
        return replace(merged, shape=infer(merged))

    return build


def at(name: str) -> Callable[[Graph], Node]:
    return lambda graph: graph.node(name)


ids, keys, s, view, w, x, z = map(at, ("ids", "keys", "s", "view", "w", "x", "z"))

SHAPES: dict[str, tuple[str, Build]] = {
    "rows of a table, one an id": ("(M, 16)", lambda g: g.gather(w(g), ids(g), name="n")),
    "rows of a table by computed ids": ("(M, 16)", lambda g: g.gather(w(g), g.argmax(x(g)), name="n")),
    "a product": ("(LEN+M, 16)", lambda g: g.matmul(keys(g), w(g), name="n")),
    "a product over one inner row": ("(M, 4)", lambda g: g.matmul(g.input("y", M, 1), g.input("v", 1, 4), name="n")),
    "a product over M inner rows": ("(2, 16)", lambda g: g.matmul(g.input("y", 2, M), x(g), name="n")),
    "rows against rows": ("(LEN+M, M)", lambda g: g.scores(keys(g), x(g), name="n")),
    "exponentials times values": ("(M, 16)", lambda g: g.matmul(s(g), keys(g), name="n")),
    "a product with a residual": ("(M, 16)", residual(Shape(M, Affine(16)))),
    "a softmax": ("(M, LEN+M)", lambda g: g.softmax(z(g), name="n")),
    "a softmax of one score": ("(M, 1)", lambda g: g.softmax(g.input("y", M, 1), name="n")),
    "a causal softmax": ("(M, LEN+M)", lambda g: g.softmax(z(g), causal=True, name="n")),
    "a causal softmax of a square": ("(4, 4)", lambda g: g.softmax(g.input("y", 4, 4), causal=True, name="n")),
    "a sum": ("(M, 16)", lambda g: g.add(x(g), g.copy(x(g)), name="n")),
    "a relu": ("(LEN+M, 16)", lambda g: g.relu(keys(g), name="n")),
    "a copy of a view": ("(1, 16)", lambda g: g.copy(view(g), name="n")),
    "parts below one another": ("(LEN+2*M, 16)", lambda g: g.concat_rows(
        keys(g), g.input("more", M, 16, role="keys"), name="n")),
    "ids below one another, each with a role of its own": ("(2*M, 1)", lambda g: g.concat_rows(
        ids(g), g.argmax(x(g)), name="n")),
    "one row": ("(1, 16)", lambda g: g.slice_rows(keys(g), LEN + M - 1, 1, name="n")),
    "all rows": ("(LEN+M, 16)", lambda g: g.slice_rows(keys(g), 0, LEN + M, name="n")),
    "a choice a row": ("(LEN+M, 1)", lambda g: g.argmax(keys(g), name="n")),
    "an input of one column": ("(LEN, 1)", lambda g: g.input("n", LEN, 1)),
    "an input without rows": ("(0, 3)", lambda g: g.input("n", 0, 3)),
}  # fmt: skip


@pytest.mark.parametrize("what", SHAPES)
def test_the_shape_of(what: str) -> None:
    shape, build = SHAPES[what]
    assert str(build(known()).shape) == shape


def test_which_tensors_are_ids() -> None:
    graph = known()
    chosen = graph.argmax(graph.node("x"), name="chosen")
    graph.concat_rows(graph.node("ids"), chosen, name="whole")
    graph.concat_rows(graph.node("keys"), name="rows")
    assert {node.name for node in graph.nodes if is_ids(node)} == {"ids", "chosen", "whole"}


REFUSED: dict[str, Build] = {
    "n: input of : shape (M-2, 4) may be negative": lambda g: g.input("n", M - 2, 4),
    "n: input of : shape (4, LEN-1) may be negative": lambda g: g.input("n", 4, LEN - 1),
    "n: input of : shape (M, LEN) may have no column; expected at least 1": lambda g: g.input("n", M, LEN),
    "n: input of : 2 columns of ids; expected 1, an id a row": lambda g: g.input("n", M, 2, kind="ids"),
    "n: gather of x (M, 16), ids (M, 1): expected a weight (the table) and ids (an input of kind ids, or an argmax)":
        lambda g: g.gather(x(g), ids(g), name="n"),
    "n: gather of w (16, 16), x (M, 16): expected a weight (the table) and ids (an input of kind ids, or an argmax)":
        lambda g: g.gather(w(g), x(g), name="n"),
    "n: matmul of ids (M, 1), v (1, 4): ids holds ids; only a gather or an output may read them": lambda g: g.matmul(
        ids(g), g.weight("v", np.ones((1, 4))), name="n"),
    "n: matmul of x (M, 16), v (8, 16): inner sizes 16 and 8 differ; expected v with 16 rows": lambda g: g.matmul(
        x(g), g.weight("v", np.ones((8, 16))), name="n"),
    "n: matmul of x (M, 16), v (16, 8): inner sizes 16 and 8 differ; expected v with 16 columns": lambda g: g.scores(
        x(g), g.weight("v", np.ones((16, 8))), name="n"),
    "n: matmul of y (4, M), s (M, LEN+M): a softmax can only be the left operand of a product": lambda g: g.matmul(
        g.input("y", 4, M), s(g), name="n"),
    "n: matmul of z0 (M, LEN), c (LEN, 16): inner size LEN may be 0; expected at least 1 for LEN = 0 and M = 1":
        lambda g: g.matmul(g.scores(x(g), g.input("c", LEN, 16), name="z0"), g.node("c"), name="n"),
    "n: matmul of x (M, 16), w (16, 16): scale 0.0; expected a finite number above 0": lambda g: g.matmul(
        x(g), w(g), scale=0.0, name="n"),
    "n: matmul of x (M, 16), w (16, 16): scale -1.0; expected a finite number above 0": lambda g: g.matmul(
        x(g), w(g), scale=-1.0, name="n"),
    "n: matmul of x (M, 16), w (16, 16): scale inf; expected a finite number above 0": lambda g: g.matmul(
        x(g), w(g), scale=float("inf"), name="n"),
    "n: matmul of x (M, 16), w (16, 16), r (1, 16): a residual of (1, 16) on a product of (M, 16); expected equal "
    "shapes": residual(Shape(Affine(1), Affine(16))),
    "n: softmax of ids (M, 1): ids holds ids; only a gather or an output may read them": lambda g: g.softmax(
        ids(g), name="n"),
    "n: softmax of y (M+1, M): a causal block needs at least as many columns as rows, got (M+1, M)": lambda g: (
        g.softmax(g.input("y", M + 1, M), causal=True, name="n")),
    "n: softmax of z0 (M, LEN): LEN scores a row may be none; expected at least 1 for LEN = 0 and M = 1": lambda g: (
        g.softmax(g.scores(x(g), g.input("c", LEN, 16), name="z0"), name="n")),
    "n: softmax of s (M, LEN+M): s is a softmax; only a product's left operand or an output may read it": lambda g: (
        g.softmax(s(g), name="n")),
    "n: add of x (M, 16), keys (LEN+M, 16): shapes (M, 16) and (LEN+M, 16) differ; expected equal ones": lambda g: (
        g.add(x(g), keys(g), name="n")),
    "n: add of ids (M, 1), ids (M, 1): ids holds ids; only a gather or an output may read them": lambda g: g.add(
        ids(g), ids(g), name="n"),
    "n: relu of view (1, 16): a slice is a view and this use would need a copy of it; take an explicit copy() first":
        lambda g: g.relu(view(g), name="n"),
    "n: relu of ids (M, 1): ids holds ids; only a gather or an output may read them": lambda g: g.relu(
        ids(g), name="n"),
    "n: copy of ids (M, 1): ids holds ids; only a gather or an output may read them": lambda g: g.copy(
        ids(g), name="n"),
    "n: concat_rows of : expected at least one part": lambda g: g.concat_rows(name="n"),
    "n: concat_rows of x (M, 16), ids (M, 1): ids holds ids, and other parts are none": lambda g: g.concat_rows(
        x(g), ids(g), name="n"),
    "n: concat_rows of ids (M, 1), x (M, 16): ids holds ids, and other parts are none": lambda g: g.concat_rows(
        ids(g), x(g), name="n"),
    "n: concat_rows of view (1, 16): view is a slice_rows and would need a copy; take an explicit copy() first":
        lambda g: g.concat_rows(view(g), name="n"),
    "n: concat_rows of w (16, 16): w is a weight and would need a copy; take an explicit copy() first": lambda g: (
        g.concat_rows(w(g), name="n")),
    "n: concat_rows of s (M, LEN+M): s is a softmax and would need a copy; take an explicit copy() first": lambda g: (
        g.concat_rows(s(g), name="n")),
    "n: concat_rows of x (M, 16), keys (LEN+M, 16): keys has role 'keys'; expected 'x': the whole has one scale. "
    "Name one role for all parts": lambda g: g.concat_rows(x(g), keys(g), name="n"),
    "n: concat_rows of x (M, 16), y (M, 8): y has 8 columns; expected 16": lambda g: g.concat_rows(
        x(g), g.input("y", M, 8, role="x"), name="n"),
    "n: concat_rows of x (M, 16), x (M, 16): x occurs twice and would need a copy; take an explicit copy() first":
        lambda g: g.concat_rows(x(g), x(g), name="n"),
    "n: slice_rows of ids (M, 1): ids holds ids; only a gather or an output may read them": lambda g: g.slice_rows(
        ids(g), 0, 1, name="n"),
    "n: slice_rows of s (M, LEN+M): a slice of a softmax has no row multipliers; slice its scores instead": lambda g: (
        g.slice_rows(s(g), 0, 1, name="n")),
    "n: slice_rows of keys (LEN+M, 16): a slice of LEN rows may be empty; expected at least 1": lambda g: g.slice_rows(
        keys(g), 0, LEN, name="n"),
    "n: slice_rows of w (16, 16): rows 15 .. 16 leave the tensor; it has rows 0 .. 15": lambda g: g.slice_rows(
        w(g), 15, 2, name="n"),
    "n: slice_rows of w (16, 16): rows -1 .. 0 leave the tensor; it has rows 0 .. 15": lambda g: g.slice_rows(
        w(g), -1, 2, name="n"),
    "n: slice_rows of keys (LEN+M, 16): rows M .. LEN+M leave the tensor; it has rows 0 .. LEN+M-1": lambda g: (
        g.slice_rows(keys(g), M, LEN + 1, name="n")),
    "n: argmax of ids (M, 1): ids holds ids; only a gather or an output may read them": lambda g: g.argmax(
        ids(g), name="n"),
    "n: argmax of s (M, LEN+M): argmax reads signed bytes; take the argmax of the scores, which is the same":
        lambda g: g.argmax(s(g), name="n"),
}  # fmt: skip


@pytest.mark.parametrize("says", REFUSED)
def test_what_is_refused(says: str) -> None:
    with pytest.raises(GraphError) as caught:
        REFUSED[says](known())
    assert str(caught.value) == says


def test_external_memory_wants_rows_of_one_size() -> None:
    """An input, or an output, whose columns grow with LEN or M; any other tensor may have such."""
    graph = known()
    graph.output("chosen", graph.argmax(graph.node("z")))
    assert check_sizes(graph) is graph
    graph.output("shown", graph.node("z"))
    with pytest.raises(GraphError, match=r"^output shown: z: matmul\(x, keys\) \(M, LEN\+M\) has no constant number"):
        check_sizes(graph)
    wide = Graph("g")
    wide.input("y", 2, LEN + 1)
    with pytest.raises(GraphError, match=r"^y: an input has a constant number of columns, not LEN\+1$"):
        check_sizes(wide)
