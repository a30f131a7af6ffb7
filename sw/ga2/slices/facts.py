# SPDX-License-Identifier: Apache-2.0
"""What a run has to do with slices: of every view that its program reads, where it came from and what read it."""

from dataclasses import dataclass

from capra import Graph, Node
from ga2.slices.recipe import Run

SOURCES = ("product", "concatenation", "slice", "input", "weight")
CONSUMERS = ("left", "right", "values", "scores", "softmax", "argmax")
POSITIONS = ("whole", "one", "first", "middle", "last")
_SOURCE_OF = {"matmul": "product", "concat_rows": "concatenation", "slice_rows": "slice", "input": "input",
              "weight": "weight", "gather": "gather", "add": "vector", "relu": "vector", "copy": "vector"}  # fmt: skip


@dataclass(frozen=True, order=True)
class Fact:
    """One use of one view in one run.

    source: one of SOURCES, or gather or vector. consumer: one of CONSUMERS, or vector, residual, output; `right` is a
    product's transposed right factor, `values` one that is read by rows, `scores` either factor of a transposed product
    that a softmax reads. position: one of POSITIONS, at this run's LEN and M.
    """

    source: str
    consumer: str
    position: str
    m: int
    length: int

    @property
    def crossed(self) -> bool:
        """Whether source and consumer are those that the cross names."""
        return self.source in SOURCES and self.consumer in CONSUMERS


def facts(graph: Graph, run: Run) -> list[Fact]:
    """The facts of a run of a compiled (fused) graph, one a use, in the graph's order."""
    found: list[Fact] = []
    for view in graph.nodes:
        if view.op != "slice_rows":
            continue
        place = position(view, run)
        uses = [use for reader in graph.consumers(view) for use in consumers(graph, reader, view)]
        uses += ["output"] * graph.is_output(view)
        found += [Fact(_SOURCE_OF[view.inputs[0].op], use, place, run.m, run.length) for use in uses]
    return found


def position(view: Node, run: Run) -> str:
    """Where a slice lies in its source: the whole of it, else one row of it, else by the ends that it touches."""
    sizes = (view.start, view.shape.rows, view.inputs[0].shape.rows)
    return position_of(*(size.at(run.length, run.m) for size in sizes))


def position_of(start: int, count: int, rows: int) -> str:
    """The position of `count` rows from `start` on in a tensor of `rows`."""
    if count == rows:
        return "whole"
    if count == 1:
        return "one"
    return "first" if start == 0 else "last" if start + count == rows else "middle"


def consumers(graph: Graph, reader: Node, view: Node) -> list[str]:
    """How `reader` uses `view`; nothing for a view of the view."""
    if reader.op == "matmul":
        uses = zip(reader.inputs, product_uses(graph, reader), strict=False)
        return [use for operand, use in uses if operand is view]
    simple = {"softmax": "softmax", "argmax": "argmax", "add": "vector", "relu": "vector", "copy": "vector"}
    return [simple[reader.op]] if reader.op in simple else []


def product_uses(graph: Graph, product: Node) -> tuple[str, ...]:
    """The uses of a product's operands."""
    if not product.transpose_b:
        return "left", "values", "residual"
    if any(reader.op == "softmax" for reader in graph.consumers(product)):
        return "scores", "scores", "residual"
    return "left", "right", "residual"
