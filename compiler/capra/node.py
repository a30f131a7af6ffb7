# SPDX-License-Identifier: Apache-2.0
"""A node of the graph: one tensor, its shape, and the operation that makes it."""

from dataclasses import dataclass, field

from capra.affine import Affine


class GraphError(ValueError):
    """A graph that means nothing, or that would need something the core does not do."""


@dataclass(frozen=True)
class Shape:
    """Rows and columns of a tensor."""

    rows: Affine
    cols: Affine

    def __str__(self) -> str:
        return f"({self.rows}, {self.cols})"

    def at(self, length: int, m: int) -> tuple[int, int]:
        """The shape for LEN = `length` and M = `m`."""
        return self.rows.at(length, m), self.cols.at(length, m)

    def largest(self, max_len: int, m_max: int) -> tuple[int, int]:
        """The most rows and columns while LEN + M <= max_len and 1 <= M <= m_max."""
        return self.rows.largest(max_len, m_max), self.cols.largest(max_len, m_max)


@dataclass(frozen=True, eq=False)
class Node:
    """One tensor and the operation that makes it.

    role: tensors of one role share one int8 scale. start: first row of a slice. scale: a factor of a product.
    causal: row i of a softmax sees its first `columns - rows + i + 1` scores. residual, relu: set by fusion.
    norm: a softmax whose probabilities are read as bytes over 256, set by fusion.
    """

    name: str
    op: str
    inputs: tuple["Node", ...]
    shape: Shape
    role: str
    start: Affine = field(default_factory=Affine)
    scale: float = 1.0
    kind: str = ""
    transpose_b: bool = False
    causal: bool = False
    residual: bool = False
    relu: bool = False
    norm: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {self.op}({', '.join(node.name for node in self.inputs)}) {self.shape}"
