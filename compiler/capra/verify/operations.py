# SPDX-License-Identifier: Apache-2.0
"""Lowered operations: inside their buffers, after what they need, every tensor made whole, every output stored."""

from capra.affine import LEN, Affine
from capra.graph import Graph
from capra.layout import output_item
from capra.lower import Lowered
from capra.node import Node
from capra.ops import ExtRef, Op
from capra.place import Placement, has_place, row_words
from capra.schedule import topological
from capra.verify.errors import require
from capra.verify.extents import Region, region, regions
from ga2.spec import Config

VIEWS = ("slice_rows", "concat_rows")


def verify_operations(graph: Graph, placement: Placement, lowered: Lowered, config: Config) -> None:
    """VerifyError names the operation, or the tensor that nothing makes."""
    for op in lowered.ops:
        for name, ref in op.operands.items():
            require(ref.buffer in lowered.buffers, f"{_title(op)}: no buffer {ref.buffer}")
            buffer, found = lowered.buffers[ref.buffer], region(op, name, config)
            require(ref.pitch == buffer.pitch, f"{_title(op)}: {name} has pitch {ref.pitch}, not {buffer.pitch}")
            rows = (buffer.rows - found.first - found.rows).never_negative() and found.first.never_negative()
            require(rows and found.hi <= buffer.pitch, f"{_title(op)}: {name} leaves buffer {buffer.name}")
    _verify_hazards(lowered, config)
    for node in graph.nodes:
        if has_place(graph, node) and node.op not in VIEWS:
            _verify_made(node, placement, lowered, config)
    _verify_stored(graph, placement, lowered)


def _title(op: Op) -> str:
    return f"{op.node}: {op.opcode}"


def _verify_hazards(lowered: Lowered, config: Config) -> None:
    """A read comes after every write of what it reads, of which there is one or more; two writes have an order."""
    order = topological(lowered)
    bit = {op: 1 << index for index, op in enumerate(order)}
    before: dict[Op, int] = {}
    for op in order:
        before[op] = 0
        for earlier in lowered.after[op]:
            before[op] |= before[earlier] | bit[earlier]
    writers: dict[str, list[tuple[Op, Region]]] = {}
    for op in order:
        for found in regions(op, "write", config):
            writers.setdefault(found.buffer, []).append((op, found))
    for op in order:
        for found in regions(op, "read", config):
            made = [other for other, there in writers.get(found.buffer, []) if other is not op and there.meets(found)]
            require(bool(made), f"{_title(op)}: reads {found.buffer}, which nothing writes there")
            for other in made:
                require(bool(before[op] & bit[other]), f"{_title(op)}: does not wait for {_title(other)}")
    for pairs in writers.values():
        for index, (op, found) in enumerate(pairs):
            for other, there in pairs[:index]:
                ordered = before[op] & bit[other] or before[other] & bit[op]
                require(bool(ordered) or not there.meets(found), f"{_title(op)}, {_title(other)}: write in no order")


def _verify_made(node: Node, placement: Placement, lowered: Lowered, config: Config) -> None:
    """The operations of a tensor write each of its words once."""
    place = placement.of(node)
    pieces = []
    for op in lowered.ops:
        if op.node == node.name and op.opcode != "ST":
            name = next(name for name in ("dst", "out") if name in op.operands)
            found = region(op, name, config)
            whole = (found.buffer, found.first, found.rows) == (place.buffer, place.row, node.shape.rows)
            require(whole, f"{_title(op)}: writes rows {found.first} on of {found.buffer}, {node} lies elsewhere")
            pieces.append((found.lo, found.hi))
    end = 0
    for lo, hi in sorted(pieces):
        require(lo == end, f"{node}: word {end} of its rows is made by no operation, or by two")
        end = hi
    words = row_words(node, config)
    require(end == words, f"{node}: operations make {end} of the {words} words of its rows")


def _verify_stored(graph: Graph, placement: Placement, lowered: Lowered) -> None:
    """One store an output, from the tensor's place to its item; to a cache at row LEN."""
    stores = [op for op in lowered.ops if op.opcode == "ST"]
    require(len(stores) == len(graph.outputs), f"graph {graph.name}: {len(stores)} stores, not {len(graph.outputs)}")
    for output, op in zip(graph.outputs, stores, strict=True):
        place, ref = placement.of(output.node), op.operands["src"]
        there = (ref.buffer, ref.row, ref.word) == (place.buffer, place.row, 0)
        require(there and op.dims["rows"] == output.node.shape.rows, f"{_title(op)}: not {output.node}")
        item, row = (output.cache, LEN) if output.cache else (output_item(graph, output.name), Affine())
        require(op.ext == ExtRef(item, row), f"{_title(op)}: goes to {op.ext}, not to row {row} of {item}")
