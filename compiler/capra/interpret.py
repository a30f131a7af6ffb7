# SPDX-License-Identifier: Apache-2.0
"""The integer interpreter of a fused graph: the bytes that its program must compute, from the graph alone.

It knows nothing of buffers, panels, schedules or instructions, so a compiled program that equals it has been placed,
ordered and encoded rightly.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from capra.constants import product_constants, softmax_factors, uses_row_multipliers, vec_factors
from capra.evaluate import check_inputs
from capra.graph import Graph
from capra.node import Node
from capra.quantise import QuantSpec, streams_as_panels
from ga2.golden import numerics

Values = dict[str, NDArray]


class _Run:
    """Tensors by name as they are computed, and the row multipliers of every softmax."""

    def __init__(self, graph: Graph, spec: QuantSpec) -> None:
        self.graph, self.spec = graph, spec
        self.values: Values = {}
        self.row_multipliers: Values = {}

    def right(self, product: Node) -> NDArray:
        """The right operand (k, n) of a product."""
        node = product.inputs[1]
        if streams_as_panels(product, node):
            return self.spec.columns[node.name].values
        values = self.values[node.name]
        return values.T if product.transpose_b else values

    def matmul(self, node: Node) -> NDArray:
        """Exact sum, residual, one requantisation."""
        constants = product_constants(node, self.spec)
        return numerics.matmul(
            self.values[node.inputs[0].name],
            self.right(node),
            np.array([constant.bias for constant in constants]),
            np.array([constant.mult for constant in constants]),
            np.array([constant.shift for constant in constants]),
            rfac=np.array([constant.rfac for constant in constants]),
            lo=0 if node.relu else -128,
            aux=self.values[node.inputs[2].name] if node.residual else None,
            rowmul=self.row_multipliers[node.inputs[0].name] if uses_row_multipliers(node) else None,
        )

    def softmax(self, node: Node) -> NDArray:
        """Exponential bytes (or normalised ones) and row multipliers."""
        scores = self.values[node.inputs[0].name]
        rows, cols = scores.shape
        lengths = cols - rows + 1 + np.arange(rows) if node.causal else np.full(rows, cols)
        factors = softmax_factors(node, self.graph.consumers(node), self.spec)
        values, multipliers = numerics.softmax_rows(scores, lengths, factors.emul, factors.scale, node.norm)
        self.row_multipliers[node.name] = multipliers
        return values

    def vec(self, node: Node) -> NDArray:
        """An add, a relu or a copy."""
        factors = vec_factors(node, self.spec)
        operands = [self.values[operand.name] for operand in node.inputs]
        second = operands[1] if len(operands) == 2 else None
        lo = 0 if node.op == "relu" else -128
        return numerics.vec(operands[0], factors.ma, second, factors.mb, shift=factors.shift, lo=lo)


def interpret(graph: Graph, spec: QuantSpec, inputs: Mapping[str, NDArray], length: int = 0, m: int = 1) -> Values:
    """Every tensor's integers by name. Inputs: ids (rows, 1), caches and rows int8. A causal softmax's scores beyond
    a row's length are computed and unused, as on the core."""
    check_inputs(graph, inputs, length, m)
    run = _Run(graph, spec)
    for node in graph.nodes:
        if node.op == "weight":
            if node.name in spec.tensors:
                run.values[node.name] = spec.tensors[node.name]
            continue
        operands = [run.values[operand.name] for operand in node.inputs if operand.name in run.values]
        start, count = node.start.at(length, m), node.shape.rows.at(length, m)
        rules: dict[str, Callable[[], NDArray]] = {
            "input": lambda: np.asarray(inputs[node.name]),
            "gather": lambda: operands[0][np.asarray(operands[1]).ravel()],
            "matmul": lambda: run.matmul(node),
            "softmax": lambda: run.softmax(node),
            "add": lambda: run.vec(node),
            "relu": lambda: run.vec(node),
            "copy": lambda: run.vec(node),
            "concat_rows": lambda: np.vstack(operands),
            "slice_rows": lambda: operands[0][start : start + count],
            "argmax": lambda: numerics.argmax_rows(operands[0])[:, np.newaxis],
        }
        run.values[node.name] = rules[node.op]()
    return run.values
