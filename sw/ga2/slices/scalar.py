# SPDX-License-Identifier: Apache-2.0
"""A second integer interpreter of a fused graph: the bytes of every tensor, from the manual's arithmetic alone.

It shares with the compiler the graph, the roles' scales and the weights' bytes, and with the golden model nothing: sums
in int64, rescaling in Python integers of any length, the factors derived here from the scales. A view is looked
through: rows are counted from the tensor that it shows, and the scale is that tensor's.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import floor, frexp, log2

import numpy as np
from numpy.typing import NDArray

from capra import Graph, Node, QuantSpec

Values = dict[str, NDArray]
ONE_16 = 65280  # 16-bit exponential of a row's largest score
TABLE = [floor(ONE_16 * 2 ** (-f / 64) + 0.5) for f in range(64)]


def origin(node: Node) -> Node:
    """The tensor that a view shows."""
    while node.op == "slice_rows":
        node = node.inputs[0]
    return node


def rounded(value: int, shift: int) -> int:
    """value / 2^shift, half up."""
    return (value + (1 << shift >> 1)) >> shift


def byte(value: int, low: int = -128) -> int:
    """Saturated to int8, or to low .. 127."""
    return max(low, min(127, value))


def ratio_fields(ratio: float) -> tuple[int, int]:
    """A ratio as (mult, shift): 31 bits over a power of two, or (0, 62) below what those reach."""
    shift = 31 - frexp(ratio)[1]
    mult = round(Fraction(ratio) * 2**shift)
    if mult == 2**31:
        mult, shift = mult // 2, shift - 1
    return (mult, shift) if shift <= 62 else (0, 62)


class ScalarRun:
    """One run: `values` by node name once `run` has been called."""

    def __init__(self, graph: Graph, spec: QuantSpec, inputs: Mapping[str, NDArray], length: int, m: int) -> None:
        self.graph, self.spec, self.inputs, self.at = graph, spec, inputs, (length, m)
        self.values: Values = {}
        self.multipliers: dict[str, list[int]] = {}

    def run(self) -> Values:
        """Every tensor of the graph; weights that only stream as panels are left out."""
        for node in self.graph.nodes:
            if node.op != "weight" or node.name in self.spec.tensors:
                self.values[node.name] = getattr(self, node.op)(node)
        return self.values

    def scale(self, node: Node) -> float:
        """The real value of a step of what a view shows; of stored probabilities 1/256."""
        shown = origin(node)
        return 1 / 256 if shown.op == "softmax" else self.spec.scale(shown.role)

    def input(self, node: Node) -> NDArray:
        return np.asarray(self.inputs[node.name])

    def weight(self, node: Node) -> NDArray:
        return self.spec.tensors[node.name]

    def gather(self, node: Node) -> NDArray:
        table, ids = (self.values[operand.name] for operand in node.inputs)
        return np.array([table[int(one)] for one in ids.ravel()], np.int8)

    def concat_rows(self, node: Node) -> NDArray:
        return np.concatenate([self.values[part.name] for part in node.inputs])

    def slice_rows(self, node: Node) -> NDArray:
        first, at = 0, node
        while at.op == "slice_rows":
            first, at = first + at.start.at(*self.at), at.inputs[0]
        rows = range(first, first + node.shape.rows.at(*self.at))
        return np.array([self.values[at.name][row] for row in rows])

    def argmax(self, node: Node) -> NDArray:
        rows = self.values[node.inputs[0].name].tolist()
        return np.array([[row.index(max(row))] for row in rows])

    def matmul(self, node: Node) -> NDArray:
        left, right = node.inputs[:2]
        exponentials = left.op == "softmax" and not left.norm
        streamed = right.op == "weight" and not node.transpose_b and not exponentials
        matrix = self.spec.columns[right.name].values if streamed else self.values[right.name]
        matrix = matrix.T if node.transpose_b else matrix
        total = self.values[left.name].astype(np.int64) @ matrix.astype(np.int64)
        rows, columns = total.shape
        scales = self.spec.columns[right.name].scales if streamed else [self.scale(right)] * columns
        if exponentials:
            ratio = self.scale(right) * node.scale / self.scale(node)
            shifts = [38 - frexp(ratio)[1]] * columns
            factors = [[mult] * columns for mult in self.multipliers[left.name]]
        else:
            fields = [ratio_fields(self.scale(left) * one * node.scale / self.scale(node)) for one in scales]
            shifts = [shift for _, shift in fields]
            factors = [[mult for mult, _ in fields]] * rows
        if node.residual:
            kept = self.values[node.inputs[2].name].astype(np.int64)
            unit = self.scale(node.inputs[2]) / node.scale / self.scale(left)
            total = total + kept * np.array([round(unit / one) for one in scales], np.int64)
        low = 0 if node.relu else -128
        sums = total.tolist()
        made = [byte(rounded(sums[i][j] * factors[i][j], shifts[j]), low) for i in range(rows) for j in range(columns)]
        return np.array(made, np.int8).reshape(rows, columns)

    def softmax(self, node: Node) -> NDArray:
        source = node.inputs[0]
        scores = self.values[source.name].tolist()
        rows, columns = self.values[source.name].shape
        step = round(self.scale(source) * log2(np.e) * 2**15)
        numerator = 2**30 if node.norm else self.numerator(node)
        made, multipliers = [], []
        for i, row in enumerate(scores):
            seen = row[: columns - rows + i + 1] if node.causal else row
            exps = [self.exponential((max(seen) - score) * step) for score in seen]
            mult = min(2**31 - 1, (numerator << 16) // sum(exps))
            bytes_ = [min(255, rounded(e * mult, 38)) if node.norm else rounded(e, 8) for e in exps]
            made.append(bytes_ + [0] * (columns - len(seen)))
            multipliers.append(mult)
        self.multipliers[node.name] = multipliers
        return np.array(made, np.uint8).reshape(rows, columns)

    def numerator(self, softmax: Node) -> int:
        """The softmax scale: its products' ratio as a 30-bit integer."""
        product = self.graph.consumers(softmax)[0]
        ratio = self.scale(product.inputs[1]) * product.scale / self.scale(product)
        return round(ratio * 2.0 ** (30 - frexp(ratio)[1]))

    @staticmethod
    def exponential(distance: int) -> int:
        """The 16-bit exponential of a scaled distance from the row's maximum."""
        octaves, fraction = divmod(rounded(distance, 9), 64)
        return 0 if octaves > 16 else rounded(TABLE[fraction], octaves)

    def vector(self, node: Node, low: int = -128) -> NDArray:
        """An add, a relu or a copy: operands times 16-bit factors over one power of two."""
        ratios = [self.scale(operand) / self.scale(node) for operand in node.inputs]
        shift = min(30, floor(log2((2**15 - 1) / max(ratios))))
        total = sum(self.values[operand.name].astype(np.int64) * round(ratio * 2**shift)
                    for operand, ratio in zip(node.inputs, ratios, strict=True))  # fmt: skip
        rows = [[byte(rounded(value, shift), low) for value in row] for row in np.asarray(total).tolist()]
        return np.array(rows, np.int8).reshape(np.shape(total))

    add = copy = vector

    def relu(self, node: Node) -> NDArray:
        return self.vector(node, 0)


def interpret_again(
    graph: Graph, spec: QuantSpec, inputs: Mapping[str, NDArray], length: int, m: int
) -> Values:
    """Every tensor's integers by name, as `capra.interpret` must give them."""
    return ScalarRun(graph, spec, inputs, length, m).run()
