# SPDX-License-Identifier: Apache-2.0
"""Fusion: a graph to a smaller graph with the same float meaning.

- prefix-slice attention: rows that each attend a prefix of keys and values become one causal block (bit-identical);
- residual: `x + l r` adds x inside the product's accumulator, before its one requantisation;
- relu: the lower clamp of the product that feeds it;
- a softmax that is stored is normalised; one that only feeds products stays exponentials and row multipliers.

Nodes that no output needs are dropped.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from capra.affine import Affine
from capra.graph import Graph, Output
from capra.node import Node, Shape


@dataclass(frozen=True)
class FusionOptions:
    """Which rewrites apply; `causal` changes no bit, the others decide where values are rounded."""

    causal: bool = True
    residual: bool = True
    relu: bool = True


def fuse(graph: Graph, options: FusionOptions = FusionOptions()) -> Graph:
    """The fused graph. Names of surviving tensors are kept: a fused product takes the name of what it computes."""
    graph = prune(graph)
    if options.causal:
        graph = prune(_rewrite(graph, _causal_block))
    if options.residual:
        graph = prune(_rewrite(graph, _residual))
    if options.relu:
        graph = prune(_rewrite(graph, _relu))
    return _rewrite(graph, _normalised)


def prune(graph: Graph) -> Graph:
    """The graph without nodes that no output needs."""
    needed: set[Node] = set()
    pending = [output.node for output in graph.outputs]
    pending += [graph.node(output.cache) for output in graph.outputs if output.cache]
    while pending:
        node = pending.pop()
        if node not in needed:
            needed.add(node)
            pending += node.inputs
    nodes = [node for node in graph.nodes if node in needed]
    weights = {node.name: graph.weights[node.name] for node in nodes if node.op == "weight"}
    return Graph(graph.name, nodes, weights, list(graph.outputs))


def _rewrite(graph: Graph, rule: Callable[[Graph, Node], list[Node]]) -> Graph:
    """Apply `rule` to every node: the nodes that replace it (the last one takes its place), or [] to leave it."""
    made: dict[Node, Node] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        for new in rule(graph, node) or [node]:
            current = replace(new, inputs=tuple(made[operand] for operand in new.inputs))
            made[new] = current
            nodes.append(current)
        made[node] = current
    outputs = [Output(output.name, made[output.node], output.cache) for output in graph.outputs]
    return Graph(graph.name, nodes, graph.weights, outputs)


def _only_reader(graph: Graph, node: Node) -> bool:
    return len(graph.consumers(node)) == 1 and not graph.is_output(node)


def _residual(graph: Graph, node: Node) -> list[Node]:
    if node.op != "add":
        return []
    for kept, product in (node.inputs, node.inputs[::-1]):
        plain = product.op == "matmul" and not product.residual and product.inputs[0].op != "softmax"
        if plain and kept is not product and kept.op != "softmax" and _only_reader(graph, product):
            merged = replace(product, name=node.name, role=node.role, residual=True, inputs=(*product.inputs, kept))
            return [merged]
    return []


def _relu(graph: Graph, node: Node) -> list[Node]:
    if node.op != "relu":
        return []
    product = node.inputs[0]
    if product.op != "matmul" or not _only_reader(graph, product):
        return []
    return [replace(product, name=node.name, role=node.role, relu=True)]


def _normalised(graph: Graph, node: Node) -> list[Node]:
    return [replace(node, norm=True)] if node.op == "softmax" and graph.is_output(node) else []


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
    private = all(_only_reader(graph, node) for node in (product, softmax, scores))
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
