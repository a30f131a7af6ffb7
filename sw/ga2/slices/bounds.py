# SPDX-License-Identifier: Apache-2.0
"""How far the bytes of a tensor may lie from its real values: bounds by element, derived operation by operation.

With L, R real operands and l, r their bounds, a product's is `|L| r + l |R| + l r` and half a step of its result; a
sum's and a view's follow at once. A softmax moves by at most p (exp(2 e) - 1) when its scores move by e, and its own
arithmetic adds 0.004 (`docs/developer/microarchitecture.md`). Calibration saw the real values, so that saturation
only moves bytes towards them; but for scores that a causal softmax hides, which a graph of slices never computes.
"""

from collections.abc import Mapping
from math import log, log2

import numpy as np
from numpy.typing import NDArray

from capra import Graph, Node, QuantSpec
from ga2.slices.scalar import origin

Float = NDArray[np.float64]
SOFTMAX_ERROR = 0.004
SLACK = 1e-3  # of a step: factors have 15 bits in a sum, 31 in a product


def step_of(node: Node, spec: QuantSpec) -> float:
    """The real value of one step of a tensor's bytes, looked up at what a view shows."""
    shown = origin(node)
    return 1 / 256 if shown.op == "softmax" else spec.scale(shown.role)


class Bounds:
    """Bounds by node name for one run. real: `capra.evaluate` of the same (fused) graph."""

    def __init__(self, graph: Graph, spec: QuantSpec, real: Mapping[str, Float], length: int, m: int) -> None:
        self.spec, self.real, self.at = spec, real, (length, m)
        self.found: dict[str, Float] = {}
        for node in graph.nodes:
            self.found[node.name] = np.broadcast_to(self.bound(node), np.shape(real[node.name]))

    def of(self, node: Node) -> Float:
        """The bound of a tensor."""
        return self.found[node.name]

    def bound(self, node: Node) -> Float:
        operands = [self.found[operand.name] for operand in node.inputs]
        match node.op:
            case "concat_rows":
                return np.vstack(operands)
            case "slice_rows":
                start = node.start.at(*self.at)
                return operands[0][start : start + node.shape.rows.at(*self.at)]
            case "gather":
                return operands[0][np.asarray(self.real[node.inputs[1].name]).astype(int).ravel()]
            case "matmul":
                return self.product(node) + self.rounding(node)
            case "softmax":
                return self.softmax(node, operands[0])
            case "add" | "relu" | "copy":
                steps = sum(step_of(operand, self.spec) for operand in node.inputs)
                return np.asarray(sum(operands)) + SLACK * 8 * steps + self.rounding(node)
            case "argmax":
                return np.zeros(1)
        ids = node.kind == "ids"
        return np.array(0.0 if ids or node.role not in self.spec.scales else self.rounding(node))

    def rounding(self, node: Node) -> float:
        """Half a step, and what factors of finite length lose."""
        return (0.5 + 128 * SLACK / 8) * step_of(node, self.spec)

    def product(self, node: Node) -> Float:
        left, right = node.inputs[:2]
        streamed = right.name in self.spec.columns and not node.transpose_b
        streamed = streamed and right.op == "weight" and (left.op != "softmax" or left.norm)
        r = np.asarray(self.spec.columns[right.name].scales / 2) if streamed else self.of(right)
        real_right = self.real[right.name]
        if streamed:
            r = np.broadcast_to(r, real_right.shape)
        right_error, right_size = (r.T, np.abs(real_right).T) if node.transpose_b else (r, np.abs(real_right))
        size, error = np.abs(self.real[left.name]), self.of(left)
        found = abs(node.scale) * (size @ right_error + error @ right_size + error @ right_error)
        return found + self.residual(node, streamed) if node.residual else found

    def residual(self, node: Node, streamed: bool) -> Float:
        """The residual's own bound, and its integer factor's: half the accumulator's step for each of its steps."""
        left, right, kept = node.inputs
        scales = self.spec.columns[right.name].scales if streamed else np.array([step_of(right, self.spec)])
        unit = step_of(left, self.spec) * scales * abs(node.scale)
        ratio = step_of(kept, self.spec) / unit
        return self.of(kept) + np.abs(np.rint(ratio) - ratio) * unit * 128

    def softmax(self, node: Node, scores: Float) -> Float:
        """Scores that move by e, the rounding of the exponent's factor (15 bits) included."""
        p = self.real[node.name]
        step = step_of(node.inputs[0], self.spec)
        factor = abs(round(step * log2(np.e) * 2**15) / 2**15 - step * log2(np.e)) * log(2) * 255
        moved = np.minimum(2 * scores.max(axis=1, keepdims=True) + factor, 50.0)
        return np.minimum(1.0, p * np.expm1(moved)) + SOFTMAX_ERROR + (1 / 512 if node.norm else 0)


def hidden(graph: Graph, node: Node, length: int, m: int) -> NDArray[np.bool_]:
    """The elements of a tensor that nothing reads: scores behind their row's, if only causal softmaxes read them."""
    rows, cols = node.shape.at(length, m)
    readers = graph.consumers(node)
    if not readers or graph.is_output(node) or not all(reader.op == "softmax" and reader.causal for reader in readers):
        return np.zeros((rows, cols), np.bool_)
    return np.arange(cols) > (cols - rows + np.arange(rows))[:, np.newaxis]


def violations(node: Node, spec: QuantSpec, found: NDArray, real: Float, bound: Float) -> str:
    """Where bytes lie farther from the real values than they may; empty if nowhere."""
    if node.op == "softmax" and not node.norm:
        return ""  # exponentials before their row's multiplier: judged by the products that read them
    error = np.abs(found * step_of(node, spec) - real)
    if not error.size or (error <= bound + 1e-9).all():
        return ""
    row, col = np.unravel_index(int(np.argmax(error - bound)), error.shape)
    value = found[row, col] * step_of(node, spec)
    return f"[{row}, {col}] is {value:.4g}, real {real[row, col]:.4g} +- {bound[row, col]:.2g}"
