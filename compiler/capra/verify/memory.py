# SPDX-License-Identifier: Apache-2.0
"""The layout of external memory: items apart, whole, inside their windows."""

from collections.abc import Iterable

from capra.graph import Graph
from capra.layout import CACHES, INPUTS, OUTPUTS, WEIGHTS, Item, Layout, output_item, panel_item, rows_item
from capra.quantise import streams_as_panels
from capra.verify.errors import require
from ga2.spec import Config


def verify_layout(graphs: Iterable[Graph], layout: Layout, config: Config) -> None:
    """No two items share words, none leaves its window, tables can be gathered from, and everything has a place."""
    for item in layout.items.values():
        end = _end(item)
        require(item.pitch >= item.words, f"item {item.name}: rows of {item.words} words {item.pitch} words apart")
        require(0 <= item.offset and end <= layout.sizes[item.window], f"item {item.name}: ends at {end}")
        if item.name in layout.contents:
            size, wanted = layout.contents[item.name].size, item.rows * item.pitch * config.cols
            require(size == wanted, f"item {item.name}: {size} bytes, not {wanted}")
    ordered = sorted(layout.items.values(), key=lambda item: (item.window, item.offset, _end(item)))
    for one, two in zip(ordered, ordered[1:], strict=False):
        apart = one.window != two.window or _end(one) <= two.offset
        require(apart, f"items {one.name} and {two.name} share words")
    for graph in graphs:
        _verify_program(graph, layout, config)


def _end(item: Item) -> int:
    return item.offset + item.rows * item.pitch


def _verify_program(graph: Graph, layout: Layout, config: Config) -> None:
    def find(name: str, window: int, rows: int) -> Item:
        require(name in layout.items, f"graph {graph.name}: {name} has no place in external memory")
        item = layout.items[name]
        require(item.window == window and item.rows >= rows, f"item {name}: {item.rows} rows in window {item.window}")
        return item

    for node in graph.nodes:
        rows = node.shape.rows.largest(config.max_len, config.m_max)
        if node.op == "input":
            cache = node.kind == "cache"
            find(node.name, CACHES if cache else INPUTS, config.max_len if cache else rows)
        for reader in graph.consumers(node):
            if reader.op == "gather" and reader.inputs[0] is node:
                item = find(rows_item(node.name), WEIGHTS, rows)
                aligned = item.pitch & (item.pitch - 1) == 0 and item.offset % item.pitch == 0
                require(aligned, f"item {item.name}: a gather shifts ids, which pitch {item.pitch} does not allow")
            elif streams_as_panels(reader, node):
                find(panel_item(node.name), WEIGHTS, 1)
    for output in graph.outputs:
        rows = output.node.shape.rows.largest(config.max_len, config.m_max)
        if output.cache is None:
            find(output_item(graph, output.name), OUTPUTS, rows)
