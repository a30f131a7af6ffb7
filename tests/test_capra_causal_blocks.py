# SPDX-License-Identifier: Apache-2.0
"""Pass `causal`: rows become one block if each sees exactly its prefix, and nothing else may become one."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from capra import LEN, Affine, Graph, Node, evaluate
from capra.causal import fuse_causal_blocks
from capra.rewrite import prune

WIDTH = 8
ROWS = 3


@dataclass(frozen=True)
class Row:
    """One row of attention: (tensor, first row, rows) of query, keys and values, and how they are used."""

    query: tuple[str, int, int]
    keys: tuple[str, int, Affine]
    values: tuple[str, int, Affine]
    scale: float = 0.5
    role: str = "scores"
    causal: bool = False
    transposed: tuple[bool, bool] = (True, False)
    stored: str = ""
    whole: bool = False


def prefix(index: int, count: int, context: Affine) -> Row:
    seen = context - count + (index + 1)
    return Row(("q", index, 1), ("k", 0, seen), ("v", 0, seen))


Change = Callable[[int, Row], Row]


def attention(change: Change = lambda _, row: row, count: int = ROWS, context: Affine = LEN + ROWS,
              more_values: int = 0, more_queries: int = 0, foreign: bool = False) -> Graph:  # fmt: skip
    """Sliced attention, each row changed. `other_*` are tensors of the same shapes. foreign: a part that is none."""
    graph = Graph("g")
    for name, rows in (("q", Affine(count + more_queries)), ("k", context), ("v", context + more_values)):
        graph.input(name, rows, WIDTH)
        graph.input(f"other_{name}", rows, WIDTH)
    parts = []
    for index in range(count):
        row = change(index, prefix(index, count, context))
        taken: list[Node] = []
        for what, (name, start, rows) in zip("qkv", (row.query, row.keys, row.values), strict=True):
            source = graph.node(name)
            taken.append(source if row.whole and what == "k" else graph.slice_rows(source, start, rows))
        scores = graph.matmul(*taken[:2], row.transposed[0], row.scale, name=f"scores_{index}", role=row.role)
        softmax = graph.softmax(scores, causal=row.causal, name=f"softmax_{index}")
        product = graph.matmul(softmax, taken[2], row.transposed[1], name=f"product_{index}", role="attention")
        if row.stored:
            graph.output("stored", graph.node(f"{row.stored}_{index}"))
        parts.append(product)
    if foreign:
        parts.append(graph.copy(graph.input("f", 1, WIDTH, role="attention"), name="foreign"))
    graph.output("o", graph.concat_rows(*parts, name="whole"))
    return graph


def inputs(graph: Graph, length: int) -> dict:
    rng = np.random.default_rng(length)
    needed = [node for node in graph.nodes if node.op == "input"]
    return {node.name: rng.normal(0, 1, node.shape.at(length, 1)) for node in needed}


@pytest.mark.parametrize("count", [1, 2, 5])
def test_prefix_rows_become_one_causal_block_of_the_same_meaning(count: int) -> None:
    graph = attention(count=count, context=LEN + count)
    fused = fuse_causal_blocks(graph)
    (block,) = [node for node in fused.nodes if node.op == "softmax"]
    scores, product = block.inputs[0], fused.node("whole")
    assert block.causal and str(block.shape) == f"({count}, LEN+{count})" and product.inputs[0] is block
    assert (scores.name, block.name, product.name) == ("whole.scores", "whole.softmax", "whole")
    assert (scores.role, block.role, product.role, scores.scale) == ("scores", "whole.softmax", "attention", 0.5)
    assert [node.name for node in scores.inputs] == ["q", "k"] and product.inputs[1].name == "v"
    assert not any(node.op in ("slice_rows", "concat_rows") for node in fused.nodes)
    for length in (0, 1, 6):
        data = inputs(fused, length)
        given = inputs(graph, length) | data
        np.testing.assert_allclose(evaluate(fused, data, length)["whole"], evaluate(graph, given, length)["whole"])


def only(index: int, **changes: object) -> Change:
    """Row `index` with other attributes."""
    return lambda at, row: replace(row, **changes) if at == index else row


ONE = {"count": 1, "context": Affine(WIDTH)}
LEFT_ALONE: dict[str, Callable[[], Graph]] = {
    "queries in another order": lambda: attention(lambda i, row: replace(row, query=("q", ROWS - 1 - i, 1))),
    "two query rows in one part": lambda: attention(only(0, query=("q", 0, 2)), count=1, more_queries=1),
    "a query of another tensor": lambda: attention(only(1, query=("other_q", 1, 1))),
    "keys of another tensor": lambda: attention(only(1, keys=("other_k", 0, LEN + 2))),
    "values of another tensor": lambda: attention(only(1, values=("other_v", 0, LEN + 2))),
    "a query row that no part takes": lambda: attention(more_queries=1),
    "values that no part sees": lambda: attention(more_values=1),
    "a row that sees one key more": lambda: attention(
        only(0, keys=("k", 0, LEN + 2), values=("v", 0, LEN + 2))),
    "a row that does not see itself": lambda: attention(
        only(2, keys=("k", 0, LEN + 2), values=("v", 0, LEN + 2))),
    "a row that does not see the first key": lambda: attention(only(1, keys=("k", 1, LEN + 2))),
    "a row that does not see the first value": lambda: attention(only(1, values=("v", 1, LEN + 2))),
    "another scale of the scores": lambda: attention(only(1, scale=0.25)),
    "another role of the scores": lambda: attention(only(2, role="others")),
    "a product that is stored": lambda: attention(only(1, stored="product")),
    "scores that are stored": lambda: attention(only(1, stored="scores")),
    "a softmax that is stored": lambda: attention(only(1, stored="softmax")),
    "keys that are no slice": lambda: attention(only(2, whole=True)),
    "a part that is no attention": lambda: attention(foreign=True),
    "scores of rows by columns": lambda: attention(only(0, transposed=(False, False)), **ONE),
    "values read by columns": lambda: attention(only(0, transposed=(True, True)), **ONE),
    "a row with a mask of its own": lambda: attention(only(0, causal=True), **ONE),
}  # fmt: skip


@pytest.mark.parametrize("what", LEFT_ALONE)
def test_other_concatenations_are_left_alone(what: str) -> None:
    graph = prune(LEFT_ALONE[what]())
    left = fuse_causal_blocks(graph)
    assert [(n.name, n.op, n.causal) for n in left.nodes] == [(n.name, n.op, n.causal) for n in graph.nodes]


def test_parts_that_are_no_attention_at_all_are_left_alone() -> None:
    graph = Graph("g")
    graph.output("o", graph.concat_rows(*(graph.input(name, 2, WIDTH, role="r") for name in "ab"), name="whole"))
    assert [node.op for node in fuse_causal_blocks(graph).nodes] == ["input", "input", "concat_rows"]
