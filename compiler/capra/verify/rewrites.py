# SPDX-License-Identifier: Apache-2.0
"""Rewriting passes: the same outputs, and as much of everything as before."""

from capra.affine import Affine
from capra.graph import Graph
from capra.node import Node
from capra.verify.errors import require
from capra.verify.graphs import verify_graph, verify_pruned
from capra.verify.rows import verify_same_rows


def verify_rewrite(before: Graph, after: Graph) -> None:
    """A sound graph without anything superfluous that stores what was stored, reads nothing else, and
    whose outputs are row-invariant where they were."""
    verify_graph(after)
    verify_pruned(after)
    kept, given = (
        [(output.name, output.cache, output.node.name, str(output.node.shape), output.node.role) for output in outputs]
        for outputs in (after.outputs, before.outputs)
    )
    require(kept == given, f"graph {after.name}: stores {kept}, not {given}")
    sources = {node.name for node in before.nodes if node.op in ("input", "weight")}
    for node in after.nodes:
        known = node.op not in ("input", "weight") or node.name in sources
        require(known, f"{node}: the graph before had no such source")
    verify_same_rows(before, after)


def verify_causal(before: Graph, after: Graph) -> None:
    """Every new causal block is a concatenation of rows of which row i saw exactly the keys that it sees now."""
    verify_rewrite(before, after)
    former = {node.name: node for node in before.nodes}
    for product in after.nodes:
        if product.op != "matmul" or not product.inputs[0].causal or product.inputs[0].name in former:
            continue
        softmax = product.inputs[0]
        parts = former[product.name].inputs
        require(len(parts) == product.shape.rows.imm, f"{product}: made of {len(parts)} rows")
        hidden = softmax.shape.cols - softmax.shape.rows
        for index, part in enumerate(parts):
            _verify_row(product, part, index, hidden + index + 1)


def _verify_row(product: Node, part: Node, index: int, seen: Affine) -> None:
    """Row `index` of a block was query row `index` times the first `seen` keys, and as many values."""
    scores, values = part.inputs[0].inputs[0], part.inputs[1]
    query, keys = scores.inputs
    block = product.inputs[0].inputs[0]
    what = f"{product}: row {index}, {part.name},"
    require((query.start, query.inputs[0].name) == (Affine(index), block.inputs[0].name), f"{what} has another query")
    for view, source in ((keys, block.inputs[1]), (values, product.inputs[1])):
        require(view.inputs[0].name == source.name, f"{what} reads {view.inputs[0].name}, not {source.name}")
        require((view.start, view.shape.rows) == (Affine(), seen), f"{what} sees {view.shape.rows} rows, not {seen}")
    require(scores.scale == block.scale, f"{what} scales its scores by {scores.scale}")
    require((scores.role, part.role) == (block.role, product.role), f"{what} has other scales")


def _count(graph: Graph, op: str, flag: str) -> int:
    return sum(node.op == op or bool(getattr(node, flag)) for node in graph.nodes)


def verify_residuals(before: Graph, after: Graph) -> None:
    """As many sums as before, alone or inside a product; none in a product whose rows have multipliers of their own."""
    verify_rewrite(before, after)
    found, given = _count(after, "add", "residual"), _count(before, "add", "residual")
    require(found == given, f"graph {after.name}: {found} sums, not {given}")
    for node in after.nodes:
        clash = node.residual and node.inputs[0].op == "softmax"
        require(not clash, f"{node}: row multipliers and a residual exclude each other")


def verify_relus(before: Graph, after: Graph) -> None:
    """As many relus as before, alone or as a product's clamp."""
    verify_rewrite(before, after)
    found, given = _count(after, "relu", "relu"), _count(before, "relu", "relu")
    require(found == given, f"graph {after.name}: {found} relus, not {given}")


def verify_normalised(before: Graph, after: Graph) -> None:
    """Exactly the stored softmaxes are normalised."""
    verify_rewrite(before, after)
    for node in after.nodes:
        if node.op == "softmax":
            require(node.norm == after.is_output(node), f"{node}: normalised and stored go together")
