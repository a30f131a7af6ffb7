# SPDX-License-Identifier: Apache-2.0
"""What Capra refuses around views, with the error that a user reads; `docs/user/views.md` lists them."""

from collections.abc import Callable

import numpy as np
import pytest

from capra import LEN, AllocationError, EmitError, Graph, GraphError, M, Node, compile_graphs
from ga2.sim.sources import ROOT
from ga2.spec import load_config

PAGE = (ROOT / "docs" / "user" / "views.md").read_text()


def product(graph: Graph, rows=6) -> Node:
    return graph.matmul(graph.input("x", rows, 16), graph.weight("w", np.eye(16)), name="p")


def view(graph: Graph) -> Node:
    return graph.slice_rows(product(graph), 1, 2, name="s")


AT_ONCE: dict[str, Callable[[Graph], Node]] = {
    "rows 5 .. 6 leave the tensor": lambda g: g.slice_rows(product(g), 5, 2),
    "may be empty": lambda g: g.slice_rows(g.input("cache", LEN, 16, kind="cache"), 0, LEN),
    "s is a slice_rows and would need a copy": lambda g: g.concat_rows(view(g), g.node("p")),
    "a slice is a view and this use would need a copy": lambda g: g.relu(view(g)),
    "a slice of a softmax has no row multipliers": lambda g: g.slice_rows(g.softmax(product(g)), 0, 1),
    "is a softmax; only a product's left operand": lambda g: g.copy(g.softmax(view(g))),
    "argmax reads signed bytes": lambda g: g.argmax(g.softmax(view(g))),
    "a softmax can only be the left operand": lambda g: g.matmul(g.input("y", 4, 2), g.softmax(view(g))),
    "holds ids": lambda g: g.slice_rows(g.argmax(product(g)), 0, 1),
    "holds ids, and other parts are none": lambda g: g.concat_rows(product(g), g.argmax(g.node("p"))),
    "expected a weight (the table)": lambda g: g.gather(view(g), g.input("ids", M, 1, kind="ids")),
    "the whole has one scale": lambda g: g.concat_rows(product(g), g.input("y", 2, 16)),
}


@pytest.mark.parametrize("text", AT_ONCE)
def test_the_graph_refuses_at_once(text: str) -> None:
    with pytest.raises(GraphError) as caught:
        AT_ONCE[text](Graph("g"))
    assert text in str(caught.value) and text in PAGE


def two_views_of_one_buffer(graph: Graph) -> None:
    tensor = product(graph)
    pair = [graph.slice_rows(tensor, start, 2, name=f"s{start}") for start in (0, 3)]
    graph.output("o", graph.matmul(*pair, transpose_b=True, name="scores"))


def columns_that_grow(graph: Graph) -> None:
    keys = graph.slice_rows(graph.input("k", LEN + M + 1, 16), 1, LEN + M, name="keys")
    graph.output("o", graph.matmul(product(graph), keys, transpose_b=True, name="scores"))


def negative_part(graph: Graph) -> None:
    seen = graph.slice_rows(product(graph, M + M), 0, M + M - 1, name="seen")
    graph.output("o", graph.matmul(seen, graph.weight("u", np.eye(16)), name="o"))


LATER = {
    "reads buffer p twice": (two_views_of_one_buffer, AllocationError),
    "has no constant number of columns": (columns_that_grow, GraphError),
    "a size has no negative part beside LEN and M": (negative_part, EmitError),
}


@pytest.mark.parametrize("text", LATER)
def test_the_compiler_refuses(text: str) -> None:
    build, error = LATER[text]
    graph = Graph("g")
    build(graph)
    ranges = {node.role: 1.0 for node in graph.nodes}
    with pytest.raises(error) as caught:
        compile_graphs(load_config("nano"), [graph], ranges)
    assert text in str(caught.value) and text in PAGE


def test_a_copy_allows_what_needs_one() -> None:
    graph = Graph("g")
    tensor = product(graph)
    seen = graph.copy(graph.slice_rows(tensor, 1, 2), name="seen")
    graph.output("a", graph.concat_rows(graph.relu(seen, name="r", role="p"), tensor, name="whole"))
    graph.output("b", graph.matmul(graph.slice_rows(tensor, 0, 1), seen, transpose_b=True, name="scores"))
    compile_graphs(load_config("nano"), [graph], {node.role: 1.0 for node in graph.nodes})
