# SPDX-License-Identifier: Apache-2.0
"""Float evaluation of a graph: what calibration watches and what the quantised program is compared with."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from capra.graph import Graph
from capra.node import GraphError, Node

Float = NDArray[np.float64]
Values = dict[str, Float]


def check_inputs(graph: Graph, inputs: Mapping[str, NDArray], length: int, m: int) -> None:
    """GraphError unless every input is present with its shape for LEN = length, M = m."""
    for node in graph.nodes:
        if node.op == "input":
            expected = node.shape.at(length, m)
            found = np.shape(inputs[node.name]) if node.name in inputs else None
            if found != expected:
                raise GraphError(f"{node.name}: input of shape {found}, expected {expected} at LEN={length}, M={m}")


def _product(node: Node, operands: list[Float]) -> Float:
    left, right = operands[:2]
    total = node.scale * (left @ (right.T if node.transpose_b else right))
    if node.residual:
        total = total + operands[2]
    return np.maximum(total, 0.0) if node.relu else total


def _softmax(node: Node, operands: list[Float]) -> Float:
    scores = operands[0]
    rows, cols = np.indices(scores.shape)
    if node.causal:
        scores = np.where(cols <= scores.shape[1] - scores.shape[0] + rows, scores, -np.inf)
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


def evaluate(graph: Graph, inputs: Mapping[str, NDArray], length: int = 0, m: int = 1) -> Values:
    """Every tensor by name. ids are integer arrays (rows, 1); the shapes must fit LEN = length and M = m."""
    check_inputs(graph, inputs, length, m)
    values: Values = {}
    for node in graph.nodes:
        operands = [values[operand.name] for operand in node.inputs]
        start, count = node.start.at(length, m), node.shape.rows.at(length, m)
        rules: dict[str, Callable[[], Float]] = {
            "input": lambda: np.asarray(inputs[node.name], np.float64),
            "weight": lambda: graph.weights[node.name],
            "gather": lambda: operands[0][operands[1].astype(int).ravel()],
            "matmul": lambda: _product(node, operands),
            "softmax": lambda: _softmax(node, operands),
            "add": lambda: operands[0] + operands[1],
            "relu": lambda: np.maximum(operands[0], 0.0),
            "copy": lambda: operands[0],
            "concat_rows": lambda: np.vstack(operands),
            "slice_rows": lambda: operands[0][start : start + count],
            "argmax": lambda: operands[0].argmax(axis=1)[:, np.newaxis].astype(np.float64),
        }
        values[node.name] = rules[node.op]()
    return values


def calibrate(graph: Graph, traces: Iterable[Mapping[str, Float]]) -> dict[str, float]:
    """The largest magnitude of every role over float traces (tensor by node name, as `evaluate` gives them)."""
    roles = {node.name: node.role for node in graph.nodes}
    ranges: dict[str, float] = {}
    for trace in traces:
        for name, values in trace.items():
            if name in roles and np.size(values):
                role = roles[name]
                ranges[role] = max(ranges.get(role, 0.0), float(np.abs(values).max()))
    return ranges
