# SPDX-License-Identifier: Apache-2.0
"""Row invariance: is row i of a block what a block of that row alone gives at the same position?

Every tensor is one of these, from what its operands are:

    constant   the same in every block: a weight, and what is made of weights alone
    history    indexed by position, its rows 0 .. LEN-1 the cache: row p is row p of every block that sees so far
    row        row i depends on row i of the inputs, on constants and on history up to position LEN + i
    scores     a row against history: its columns are positions, and those behind its own may be anything
    weights    scores after a causal softmax: the columns behind a row's own position are zero
    mixed      anything else; `why` names the node that does it

The judgement is about blocks of M rows on a cache of LEN: a block whose number of rows is built into the graph, or an
input of another number, counts as mixed. It errs on that side alone: what it calls invariant is invariant.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from capra.affine import LEN, Affine, M
from capra.graph import Graph
from capra.node import Node
from capra.verify.errors import require

Kind = Literal["constant", "history", "row", "scores", "weights", "mixed"]


@dataclass(frozen=True)
class Rows:
    """What the rows of a tensor depend on. why: of a mixed one, the node that mixes and how."""

    kind: Kind
    why: str = ""

    @property
    def invariant(self) -> bool:
        """True if row i of a block is bit for bit what the one-row step gives."""
        return self.kind in ("constant", "history", "row")

    def __str__(self) -> str:
        return f"not row-invariant: {self.why}" if self.kind == "mixed" else self.kind


def _mixed(node: Node, why: str) -> Rows:
    return Rows("mixed", f"{node.name} ({node.op}) {why}")


def row_dependence(graph: Graph) -> dict[str, Rows]:
    """The verdict on every tensor by name, before or after fusion."""
    found: dict[Node, Rows] = {}
    for node in graph.nodes:
        found[node] = _judge(graph, node, [found[operand] for operand in node.inputs])
    return {node.name: rows for node, rows in found.items()}


def verify_same_rows(before: Graph, after: Graph) -> None:
    """A rewrite may make an output row-invariant for all to see, but none ceases to be so."""
    lost = set(not_invariant(after)) - set(not_invariant(before))
    require(not lost, f"graph {after.name}: outputs {', '.join(sorted(lost))} were row-invariant before")


def output_rows(graph: Graph) -> dict[str, Rows]:
    """The verdict on every output by its name: what is scores or weights is not invariant as a whole row."""
    found = row_dependence(graph)
    verdicts = {}
    for output in graph.outputs:
        rows = found[output.node.name]
        if rows.kind in ("scores", "weights"):
            rows = _mixed(output.node, "has as many columns as the block has seen positions")
        elif output.cache is not None and rows.kind != "row":
            rows = rows if rows.kind == "mixed" else _mixed(output.node, "is appended to a cache and is no row a token")
        verdicts[output.name] = rows
    return verdicts


def not_invariant(graph: Graph) -> Mapping[str, Rows]:
    """The outputs whose row i may differ from the one-row step's, by name."""
    return {name: rows for name, rows in output_rows(graph).items() if not rows.invariant}


def _judge(graph: Graph, node: Node, operands: list[Rows]) -> Rows:
    for rows in operands:
        if rows.kind == "mixed":
            return rows
    if operands and all(rows.kind == "constant" for rows in operands):
        return Rows("constant")
    rule = _RULES.get(node.op)
    return rule(graph, node, operands) if rule else _mixed(node, "is an operation that no rule speaks of")


def _input(graph: Graph, node: Node, _operands: list[Rows]) -> Rows:
    """A cache that the program appends to holds what earlier blocks made, row by row."""
    if node.kind == "cache":
        if node.shape.rows != LEN:
            return _mixed(node, f"is a cache of {node.shape.rows} rows; a history has LEN")
        return Rows("history")
    if node.shape.rows != M:
        return _mixed(node, f"has {node.shape.rows} rows; one a token would be M")
    return Rows("row")


def _weight(_graph: Graph, _node: Node, _operands: list[Rows]) -> Rows:
    return Rows("constant")


def _gather(_graph: Graph, node: Node, operands: list[Rows]) -> Rows:
    return Rows("row") if operands[1].kind == "row" else _mixed(node, "gathers by ids that are no row a token")


def _each_row(_graph: Graph, node: Node, operands: list[Rows]) -> Rows:
    """An operation on rows of equal index: add, relu, copy, argmax."""
    kinds = {rows.kind for rows in operands}
    if kinds == {"row"} or kinds == {"history"}:
        return Rows(operands[0].kind)
    return _mixed(node, f"takes together, row by row, what is {' and '.join(sorted(kinds))}")


def _matmul(graph: Graph, node: Node, operands: list[Rows]) -> Rows:
    left, right = operands[0].kind, operands[1].kind
    others = node.inputs[1].name
    if node.residual:
        product = _matmul(graph, replace(node, residual=False), operands)
        return _each_row(graph, node, [product, operands[2]]) if product.kind != "mixed" else product
    if left in ("row", "history") and right == "constant":
        return Rows(operands[0].kind)
    if node.transpose_b:
        if (left, right) == ("row", "history") and node.inputs[1].shape.rows == LEN + M:
            return Rows("scores")
        return _mixed(node, f"sets every row against the rows of {others}, which is not the history up to its own")
    if left == "weights" and right == "history" and not node.transpose_b:
        return Rows("row") if node.inputs[1].shape.rows == LEN + M else _mixed(node, f"weighs too few rows of {others}")
    if left == "scores":
        return _mixed(node, f"sums over all positions of {node.inputs[0].name}, those behind a row's own too")
    return _mixed(node, f"sums over the rows of {others}, the block's own among them")


def _softmax(_graph: Graph, node: Node, operands: list[Rows]) -> Rows:
    """Causal: row i of rows by columns sees its first columns - rows + i + 1 scores, here LEN + i + 1."""
    kind = operands[0].kind
    if kind == "scores" and node.causal:
        return Rows("weights")
    if kind == "scores":
        return _mixed(node, "is not causal: a row sees the positions behind its own")
    if kind == "row" and not node.causal:
        return Rows("row")
    return _mixed(node, f"is causal over what is {kind}, whose columns are no positions" if node.causal
                  else f"normalises what is {kind}")  # fmt: skip


def _concat(graph: Graph, node: Node, operands: list[Rows]) -> Rows:
    """The cache, then the block's rows, the same ones that are appended to it: the history of this block."""
    kinds = [rows.kind for rows in operands]
    if len(kinds) == 1:
        return operands[0]
    if kinds == ["history", "row"] and node.inputs[0].kind == "cache":
        cache, rows = node.inputs
        if not any(output.node is rows and output.cache == cache.name for output in graph.outputs):
            return _mixed(node, f"puts {rows.name} behind {cache.name}, to which other rows are appended, or none")
        return Rows("history")
    what = " and ".join(kinds)
    return _mixed(node, f"puts {what} below one another; expected a cache and the rows that are appended to it")


def _slice(_graph: Graph, node: Node, operands: list[Rows]) -> Rows:
    """The whole of a tensor, or the block's own rows of its history."""
    kind, source = operands[0].kind, node.inputs[0].shape.rows
    if node.start == Affine() and node.shape.rows == source:
        return operands[0]
    if kind == "history" and (node.start, node.shape.rows, source) == (LEN, M, LEN + M):
        return Rows("row")
    if kind == "history" and (node.start, node.shape.rows, source) == (Affine(), LEN, LEN + M):
        return Rows("history")
    return _mixed(node, f"takes rows {node.start} .. {node.start + node.shape.rows - 1} of {node.inputs[0].name}, "
                  "which are other rows than a row's own")  # fmt: skip


_RULES = {
    "input": _input,
    "weight": _weight,
    "gather": _gather,
    "add": _each_row,
    "relu": _each_row,
    "copy": _each_row,
    "argmax": _each_row,
    "matmul": _matmul,
    "softmax": _softmax,
    "concat_rows": _concat,
    "slice_rows": _slice,
}
