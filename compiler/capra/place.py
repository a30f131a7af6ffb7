# SPDX-License-Identifier: Apache-2.0
"""Places: which scratchpad buffer, and which rows of it, every tensor lives in. Views cost nothing here.

The parts of a concat_rows are made in their place in the whole; a slice_rows is its source at an offset of rows; a
softmax overwrites scores that nothing else reads.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from capra.affine import Affine
from capra.graph import Graph
from capra.node import GraphError, Node
from capra.quantise import streams_as_panels
from capra.shapes import is_ids
from ga2.spec import Config


@dataclass(frozen=True)
class Buffer:
    """A piece of scratchpad: rows of `pitch` words."""

    name: str
    rows: Affine
    pitch: int

    def words(self, max_len: int, m_max: int) -> int:
        """Words at the largest LEN and M."""
        return self.rows.largest(max_len, m_max) * self.pitch


@dataclass(frozen=True)
class Place:
    """A tensor's place: its row 0 is row `row` of `buffer`."""

    buffer: str
    row: Affine
    pitch: int


@dataclass(frozen=True)
class Placement:
    """Buffers by name, and the place of every tensor that has one (weights read as panels have none)."""

    buffers: Mapping[str, Buffer]
    places: Mapping[str, Place]

    def of(self, node: Node) -> Place:
        """The place of a tensor."""
        return self.places[node.name]


def multiplier_buffer(softmax: Node) -> str:
    """Name of the buffer that holds a softmax's row multipliers."""
    return f"{softmax.name}.rm"


def row_words(node: Node, config: Config) -> int:
    """Words that a row of the tensor occupies at the largest LEN and M; an id takes one."""
    if is_ids(node):
        return 1
    return -(-node.shape.cols.largest(config.max_len, config.m_max) // config.cols)


def place(graph: Graph, config: Config) -> Placement:
    """Buffers and views of a fused graph; GraphError names a tensor whose use would need a copy."""
    whole = _concatenations(graph)
    buffers: dict[str, Buffer] = {}
    places: dict[str, Place] = {}

    def locate(node: Node) -> Place:
        if node.name in places:
            return places[node.name]
        if node.op == "slice_rows":
            source = locate(node.inputs[0])
            found = Place(source.buffer, source.row + node.start, source.pitch)
        elif node in whole:
            parent, offset = whole[node]
            source = locate(parent)
            found = Place(source.buffer, source.row + offset, source.pitch)
        elif node.op == "softmax" and _overwrites(graph, node):
            found = locate(node.inputs[0])
        else:
            buffers[node.name] = Buffer(node.name, node.shape.rows, row_words(node, config))
            found = Place(node.name, Affine(), buffers[node.name].pitch)
        places[node.name] = found
        return found

    for node in graph.nodes:
        if has_place(graph, node):
            locate(node)
        if node.op == "softmax":
            buffers[multiplier_buffer(node)] = Buffer(multiplier_buffer(node), node.shape.rows, 1)
    return Placement(buffers, places)


def has_place(graph: Graph, node: Node) -> bool:
    """False for weights that are only gathered from external memory or streamed as panels."""
    if node.op != "weight":
        return True
    readers = graph.consumers(node)
    in_place = [reader for reader in readers if reader.op != "gather" and not _only_panels(reader, node)]
    return bool(in_place) or graph.is_output(node)


def _only_panels(reader: Node, weight: Node) -> bool:
    return streams_as_panels(reader, weight) and weight is not reader.inputs[0]


def _concatenations(graph: Graph) -> dict[Node, tuple[Node, Affine]]:
    """For every part of a concatenation: the whole, and the part's first row in it."""
    whole: dict[Node, tuple[Node, Affine]] = {}
    for node in graph.nodes:
        if node.op != "concat_rows":
            continue
        row = Affine()
        for part in node.inputs:
            if part in whole:
                raise GraphError(
                    f"{node.name}: {part.name} already lies in {whole[part][0].name}; take an explicit copy() first"
                )
            whole[part] = (node, row)
            row = row + part.shape.rows
    return whole


def _overwrites(graph: Graph, softmax: Node) -> bool:
    scores = softmax.inputs[0]
    computed = scores.op in ("matmul", "add", "relu", "copy")
    return computed and len(graph.consumers(scores)) == 1 and not graph.is_output(scores)

