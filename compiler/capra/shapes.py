# SPDX-License-Identifier: Apache-2.0
"""Shapes and legal uses: one rule an operation, each giving the shape of the result or a GraphError."""

from math import isfinite

from capra.affine import Affine
from capra.node import GraphError, Node, Shape


def is_ids(node: Node) -> bool:
    """True for tensors of 32-bit ids, which only a gather, a concatenation of ids or an output may read."""
    if node.op == "concat_rows":
        return bool(node.inputs) and is_ids(node.inputs[0])
    return node.op == "argmax" or node.kind == "ids"


def _refuse(node: Node, why: str) -> GraphError:
    operands = ", ".join(f"{x.name} {x.shape}" for x in node.inputs)
    return GraphError(f"{node.name}: {node.op} of {operands}: {why}")


def _require_int8(node: Node) -> None:
    for operand in node.inputs:
        if is_ids(operand):
            raise _refuse(node, f"{operand.name} holds ids; only a gather or an output may read them")


def _require_signed(node: Node) -> None:
    """A softmax holds unsigned exponentials and a multiplier a row: only a product's left operand makes sense of it."""
    _require_int8(node)
    for operand in node.inputs:
        if operand.op == "softmax":
            raise _refuse(node, f"{operand.name} is a softmax; only a product's left operand or an output may read it")


def _source(node: Node) -> Shape:
    if not (node.shape.rows.never_negative() and node.shape.cols.never_negative()):
        raise _refuse(node, f"shape {node.shape} may be negative")
    if not (node.shape.cols - 1).never_negative():
        raise _refuse(node, f"shape {node.shape} may have no column; expected at least 1")
    if node.kind == "ids" and node.shape.cols != Affine(1):
        raise _refuse(node, f"{node.shape.cols} columns of ids; expected 1, an id a row")
    return node.shape


def _gather(node: Node) -> Shape:
    table, ids = node.inputs
    if table.op != "weight" or not is_ids(ids):
        raise _refuse(node, "expected a weight (the table) and ids (an input of kind ids, or an argmax)")
    return Shape(ids.shape.rows, table.shape.cols)


def _matmul(node: Node) -> Shape:
    _require_int8(node)
    left, right = node.inputs[:2]
    inner, cols = (right.shape.cols, right.shape.rows) if node.transpose_b else (right.shape.rows, right.shape.cols)
    if left.shape.cols != inner:
        wanted = f"{right.name} with {left.shape.cols} {'columns' if node.transpose_b else 'rows'}"
        raise _refuse(node, f"inner sizes {left.shape.cols} and {inner} differ; expected {wanted}")
    if right.op == "softmax":
        raise _refuse(node, "a softmax can only be the left operand of a product")
    if not (inner - 1).never_negative():
        raise _refuse(node, f"inner size {inner} may be 0; expected at least 1 for LEN = 0 and M = 1")
    if not (isfinite(node.scale) and node.scale > 0):
        raise _refuse(node, f"scale {node.scale}; expected a finite number above 0")
    product = Shape(left.shape.rows, cols)
    if node.residual and node.inputs[2].shape != product:
        raise _refuse(node, f"a residual of {node.inputs[2].shape} on a product of {product}; expected equal shapes")
    return product


def _softmax(node: Node) -> Shape:
    _require_signed(node)
    shape = node.inputs[0].shape
    if node.causal and not (shape.cols - shape.rows).never_negative():
        raise _refuse(node, f"a causal block needs at least as many columns as rows, got {shape}")
    if not (shape.cols - 1).never_negative():
        raise _refuse(node, f"{shape.cols} scores a row may be none; expected at least 1 for LEN = 0 and M = 1")
    return shape


def _add(node: Node) -> Shape:
    _require_signed(node)
    x, y = node.inputs
    if x.shape != y.shape:
        raise _refuse(node, f"shapes {x.shape} and {y.shape} differ; expected equal ones")
    return x.shape


def _relu(node: Node) -> Shape:
    _require_signed(node)
    if node.inputs[0].op == "slice_rows":
        raise _refuse(node, "a slice is a view and this use would need a copy of it; take an explicit copy() first")
    return node.inputs[0].shape


def _copy(node: Node) -> Shape:
    _require_signed(node)
    return node.inputs[0].shape


def _concat_rows(node: Node) -> Shape:
    if not node.inputs:
        raise _refuse(node, "expected at least one part")
    first, rows = node.inputs[0], Affine()
    for part in node.inputs:
        if is_ids(part) != is_ids(first):
            raise _refuse(node, f"{next(filter(is_ids, node.inputs)).name} holds ids, and other parts are none")
        if part.op in ("slice_rows", "weight", "softmax"):
            raise _refuse(node, f"{part.name} is a {part.op} and would need a copy; take an explicit copy() first")
        if part.role != first.role and not is_ids(part):
            why = f"{part.name} has role '{part.role}'; expected '{first.role}': the whole has one scale"
            raise _refuse(node, f"{why}. Name one role for all parts")
        if part.shape.cols != first.shape.cols:
            raise _refuse(node, f"{part.name} has {part.shape.cols} columns; expected {first.shape.cols}")
        if node.inputs.count(part) > 1:
            raise _refuse(node, f"{part.name} occurs twice and would need a copy; take an explicit copy() first")
        rows = rows + part.shape.rows
    return Shape(rows, first.shape.cols)


def _slice_rows(node: Node) -> Shape:
    _require_int8(node)
    source = node.inputs[0].shape
    start, count = node.start, node.shape.rows
    if node.inputs[0].op == "softmax":
        raise _refuse(node, "a slice of a softmax has no row multipliers; slice its scores instead")
    if not (count - 1).never_negative():
        raise _refuse(node, f"a slice of {count} rows may be empty; expected at least 1")
    if not start.never_negative() or not (source.rows - start - count).never_negative():
        raise _refuse(node, f"rows {start} .. {start + count - 1} leave the tensor; it has rows 0 .. {source.rows - 1}")
    return Shape(count, source.cols)


def _argmax(node: Node) -> Shape:
    _require_int8(node)
    if node.inputs[0].op == "softmax":
        raise _refuse(node, "argmax reads signed bytes; take the argmax of the scores, which is the same")
    return Shape(node.inputs[0].shape.rows, Affine(1))


_RULES = {
    "input": _source,
    "weight": _source,
    "gather": _gather,
    "matmul": _matmul,
    "softmax": _softmax,
    "add": _add,
    "relu": _relu,
    "copy": _copy,
    "concat_rows": _concat_rows,
    "slice_rows": _slice_rows,
    "argmax": _argmax,
}


def infer(node: Node) -> Shape:
    """The shape of a node from its operands; GraphError if the use is illegal."""
    return _RULES[node.op](node)
