# SPDX-License-Identifier: Apache-2.0
"""The graph: what a model computes, before anything is said about int8, addresses or cycles.

A graph is a list of nodes in execution order. Every tensor is two-dimensional, and its sizes are affine in LEN and M.
`Graph`'s methods append a node and return it; a wrong use is refused at once, by an error that names the node, the
shapes and what would be right.
"""

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from capra.affine import Affine, Size, affine
from capra.node import GraphError, Node, Shape
from capra.shapes import infer

InputKind = Literal["ids", "rows", "cache"]


@dataclass(frozen=True)
class Output:
    """A tensor that the program stores. With `cache` it is appended to that cache input at row LEN."""

    name: str
    node: Node
    cache: str | None = None


@dataclass
class Graph:
    """A program as a graph: nodes in execution order, weights by name, outputs in the order of their declaration."""

    name: str
    nodes: list[Node] = field(default_factory=list)
    weights: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    outputs: list[Output] = field(default_factory=list)

    def node(self, name: str) -> Node:
        """The node called `name`; KeyError if there is none."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise KeyError(f"graph {self.name} has no node {name}")

    def consumers(self, node: Node) -> list[Node]:
        """Nodes that read `node`."""
        return [reader for reader in self.nodes if node in reader.inputs]

    def is_output(self, node: Node) -> bool:
        """True if the program stores `node`."""
        return any(output.node is node for output in self.outputs)

    def input(self, name: str, rows: Size, cols: Size, kind: InputKind = "rows", role: str | None = None) -> Node:
        """External data: `ids` (rows of one 32-bit id), int8 `rows`, or an int8 `cache` that persists between runs."""
        if kind not in ("ids", "rows", "cache"):
            raise GraphError(f"{name}: input kind '{kind}' is none of ids, rows, cache")
        return self._append(name, "input", (), role, shape=Shape(affine(rows), affine(cols)), kind=kind)

    def weight(self, name: str, array: NDArray[np.float64], role: str | None = None) -> Node:
        """A constant matrix (k, n). `role` names a scale for uses that need one scale for the whole matrix."""
        matrix = np.asarray(array, dtype=np.float64)
        if matrix.ndim != 2 or 0 in matrix.shape or not np.isfinite(matrix).all():
            raise GraphError(f"{name}: a weight must be a finite matrix, got shape {matrix.shape}")
        self.weights[name] = matrix
        return self._append(name, "weight", (), role, shape=Shape(Affine(matrix.shape[0]), Affine(matrix.shape[1])))

    def gather(self, table: Node, ids: Node, name: str = "") -> Node:
        """Row ids[i] of the weight `table` for every id."""
        return self._append(name, "gather", (table, ids), table.role)

    def matmul(self, x: Node, w: Node, transpose_b: bool = False, scale: float = 1.0, *, name: str = "",
               role: str | None = None) -> Node:  # fmt: skip
        """`scale * x w`, or `scale * x w^T` with transpose_b."""
        return self._append(name, "matmul", (x, w), role, transpose_b=transpose_b, scale=scale)

    def scores(self, x: Node, y: Node, scale: float = 1.0, *, name: str = "", role: str | None = None) -> Node:
        """`scale * x y^T`: every row of x against every row of y, as attention asks for it."""
        return self.matmul(x, y, transpose_b=True, scale=scale, name=name, role=role)

    def softmax(self, x: Node, causal: bool = False, name: str = "") -> Node:
        """Row softmax. With `causal` and shape (m, c + m), row i sees its first c + i + 1 scores."""
        return self._append(name, "softmax", (x,), None, causal=causal)

    def add(self, x: Node, y: Node, *, name: str = "", role: str | None = None) -> Node:
        """Elementwise sum."""
        return self._append(name, "add", (x, y), role)

    def relu(self, x: Node, *, name: str = "", role: str | None = None) -> Node:
        """max(x, 0)."""
        return self._append(name, "relu", (x,), role)

    def copy(self, x: Node, name: str = "") -> Node:
        """x in a buffer of its own: what a use that cannot read a view asks for."""
        return self._append(name, "copy", (x,), x.role)

    def concat_rows(self, *parts: Node, name: str = "") -> Node:
        """The parts below one another. A view: every part is made, or loaded, in its place in the whole."""
        return self._append(name, "concat_rows", parts, parts[0].role if parts else None)

    def slice_rows(self, x: Node, start: Size, count: Size, name: str = "") -> Node:
        """Rows start .. start + count - 1 of x. A view: no instruction, no copy."""
        return self._append(name, "slice_rows", (x,), x.role, start=affine(start), rows=affine(count))

    def argmax(self, x: Node, name: str = "") -> Node:
        """One id a row: the lowest index of the largest element."""
        return self._append(name, "argmax", (x,), None)

    def output(self, name: str, node: Node, cache: Node | None = None) -> None:
        """Store `node` as output `name`, or append it to the cache input `cache` at row LEN."""
        if any(output.name == name for output in self.outputs):
            raise GraphError(f"output {name}: the name is taken")
        for tensor in (node, cache):
            if tensor is not None and tensor not in self.nodes:
                raise GraphError(f"output {name}: {tensor.name} is of another graph than {self.name}")
        if cache is not None and (cache.kind != "cache" or cache.shape.cols != node.shape.cols):
            raise GraphError(f"output {name}: {node} cannot be appended to {cache}: that needs a cache of equal width")
        if cache is not None and cache.role != node.role:
            why = f"{node.name} has role '{node.role}', {cache.name} '{cache.role}': a cache has one scale"
            raise GraphError(f"output {name}: {why}; expected one role for both")
        self.outputs.append(Output(name, node, cache.name if cache else None))

    def _append(self, name: str, op: str, inputs: tuple[Node, ...], role: str | None, *, shape: Shape | None = None,
                rows: Affine | None = None, **attributes) -> Node:  # fmt: skip
        name = name or f"{op}_{len(self.nodes)}"
        if any(node.name == name for node in self.nodes):
            raise GraphError(f"{name}: the name is taken in graph {self.name}")
        for operand in inputs:
            if operand not in self.nodes:
                raise GraphError(f"{name}: {op} of {operand.name}, which is of another graph than {self.name}")
        node = Node(name, op, inputs, shape or Shape(rows or Affine(), Affine()), role or name, **attributes)
        node = replace(node, shape=infer(node))
        self.nodes.append(node)
        return node
