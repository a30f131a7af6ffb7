# SPDX-License-Identifier: Apache-2.0
"""Placement: tensors inside their buffers, views where their sources are, all others apart."""

from capra.affine import Affine
from capra.graph import Graph
from capra.place import Placement, has_place, multiplier_buffer, row_words
from capra.verify.errors import require
from ga2.spec import Config


def verify_placement(graph: Graph, placement: Placement, config: Config) -> None:
    """Every tensor lies inside its buffer, whose rows are wide enough; a slice is its source, `start` rows on; the
    parts of a concatenation are its rows; tensors that are made lie apart, but for a softmax on its own scores."""
    for node in graph.nodes:
        if not has_place(graph, node):
            continue
        require(node.name in placement.places, f"{node}: has no place")
        found = placement.of(node)
        buffer = placement.buffers[found.buffer]
        require(found.pitch == buffer.pitch, f"{node}: pitch {found.pitch} in buffer of pitch {buffer.pitch}")
        words = row_words(node, config)
        require(words <= buffer.pitch, f"{node}: {words} words a row in buffer of pitch {buffer.pitch}")
        end = found.row + node.shape.rows
        require(
            (buffer.rows - end).never_negative() and found.row.never_negative(),
            f"{node}: rows {found.row} .. {end} leave buffer {buffer.name} of {buffer.rows} rows",
        )
        if node.op == "slice_rows":
            source = placement.of(node.inputs[0])
            inside = (found.buffer, found.row) == (source.buffer, source.row + node.start)
            require(inside, f"{node}: not where its source is")
        if node.op == "concat_rows":
            row = found.row
            for part in node.inputs:
                there = placement.of(part)
                require((there.buffer, there.row) == (found.buffer, row), f"{node}: {part.name} is not in its place")
                row = row + part.shape.rows
        if node.op == "softmax":
            own = placement.buffers.get(multiplier_buffer(node))
            require(own is not None and own.rows == node.shape.rows, f"{node}: has no row multipliers")
    _verify_apart(graph, placement)


def _verify_apart(graph: Graph, placement: Placement) -> None:
    """Made tensors of one buffer have different rows."""
    held: dict[str, list[tuple[str, Affine, Affine]]] = {}
    for node in graph.nodes:
        if node.name not in placement.places or node.op in ("slice_rows", "concat_rows"):
            continue
        found = placement.of(node)
        end = found.row + node.shape.rows
        for other, row, last in held.setdefault(found.buffer, []):
            apart = (row - end).never_negative() or (found.row - last).never_negative()
            onto = node.op == "softmax" and other == node.inputs[0].name
            alone = onto and graph.consumers(node.inputs[0]) == [node] and not graph.is_output(node.inputs[0])
            require(apart or alone, f"{node}: lies where {other} does")
        held[found.buffer].append((node.name, found.row, end))
