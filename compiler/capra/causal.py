# SPDX-License-Identifier: Apache-2.0
"""Pass `causal`: rows that each attend a prefix of keys and values become one causal block, with the same bits."""

from dataclasses import dataclass, replace

from capra.affine import Affine
from capra.graph import Graph
from capra.node import Node, Shape
from capra.rewrite import only_reader, prune, rewrite


def fuse_causal_blocks(graph: Graph) -> Graph:
    """The graph in which every concatenation of prefix rows is one product, one softmax, one product."""
    return prune(rewrite(graph, _causal_block))


@dataclass(frozen=True)
class _Row:
    """One row of sliced attention: product(softmax(scores(query, keys)), values)."""

    product: Node
    softmax: Node
    scores: Node
    query: Node
    keys: Node
    values: Node


def _attention_row(graph: Graph, product: Node) -> _Row | None:
    if product.op != "matmul" or product.transpose_b or product.inputs[0].op != "softmax":
        return None
    softmax, values = product.inputs
    scores = softmax.inputs[0]
    if scores.op != "matmul" or not scores.transpose_b or softmax.causal:
        return None
    query, keys = scores.inputs
    private = all(only_reader(graph, node) for node in (product, softmax, scores))
    if not private or any(node.op != "slice_rows" for node in (query, keys, values)):
        return None
    return _Row(product, softmax, scores, query, keys, values)


def _is_prefix_row(row: _Row, first: _Row, index: int, count: int) -> bool:
    """Row `index` of `count`: one query row, and keys and values up to and including its own position."""
    context = first.keys.inputs[0].shape.rows
    seen = context - count + (index + 1)
    return (
        row.query.inputs == first.query.inputs
        and row.keys.inputs == first.keys.inputs
        and row.values.inputs == first.values.inputs
        and (row.query.start, row.query.shape.rows) == (Affine(index), Affine(1))
        and all((view.start, view.shape.rows) == (Affine(), seen) for view in (row.keys, row.values))
        and (row.scores.scale, row.scores.role) == (first.scores.scale, first.scores.role)
        and row.product.role == first.product.role
    )


def _causal_block(graph: Graph, node: Node) -> list[Node]:
    if node.op != "concat_rows":
        return []
    found = [_attention_row(graph, part) for part in node.inputs]
    rows = [row for row in found if row is not None]
    if not rows or len(rows) != len(found):
        return []
    first, count = rows[0], len(rows)
    query, keys, values = (view.inputs[0] for view in (first.query, first.keys, first.values))
    if query.shape.rows != Affine(count) or keys.shape.rows != values.shape.rows:
        return []
    if not all(_is_prefix_row(row, first, index, count) for index, row in enumerate(rows)):
        return []
    shape = Shape(query.shape.rows, keys.shape.rows)
    scores = replace(first.scores, name=f"{node.name}.scores", inputs=(query, keys), shape=shape)
    softmax = replace(first.softmax, name=f"{node.name}.softmax", role=f"{node.name}.softmax", inputs=(scores,),
                      shape=shape, causal=True)  # fmt: skip
    product = replace(first.product, name=node.name, role=node.role, inputs=(softmax, values), shape=node.shape)
    return [scores, softmax, product]
