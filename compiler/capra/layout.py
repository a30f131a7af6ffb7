# SPDX-License-Identifier: Apache-2.0
"""External memory: what lies where in the four windows, and the bytes of the weights.

Window 0 weights and tables (read only), 1 caches (writable), 2 inputs (read only), 3 outputs (writable). Items are
rows of whole scratchpad words. Programs that name the same weight, cache or input share it; an output belongs to one
program.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capra.affine import Affine
from capra.graph import Graph
from capra.node import GraphError, Node
from capra.place import has_place, row_words
from capra.quantise import QuantSpec, streams_as_panels
from ga2.device.protocol import Window
from ga2.spec import Config

WEIGHTS, CACHES, INPUTS, OUTPUTS = range(4)
WRITABLE = (False, True, False, True)
ALIGNMENT = 4096
"""Bytes: window bases are multiples of the AXI page and of the largest pitch of a gathered table."""


@dataclass(frozen=True)
class Item:
    """One array in a window: `rows` rows, `pitch` words apart, of `words` words each, from word `offset` on."""

    name: str
    window: int
    offset: int
    rows: int
    words: int
    pitch: int


@dataclass(frozen=True)
class Layout:
    """Items by name and the words of each window."""

    items: dict[str, Item]
    sizes: tuple[int, int, int, int]
    contents: dict[str, NDArray[np.uint8]]


def panel_item(weight: str) -> str:
    """Name of a weight's column panels."""
    return f"{weight}.panels"


def rows_item(weight: str) -> str:
    """Name of a weight's row-major copy, which is also what a gather reads."""
    return f"{weight}.rows"


def output_item(graph: Graph, output: str) -> str:
    """Name of a program's output."""
    return f"{graph.name}.{output}"


def panels(values: NDArray[np.int8], cols: int) -> NDArray[np.uint8]:
    """(k, n) as column panels (ceil(n/cols)*k, cols): panel t, row k holds columns t*cols .. of row k, zero padded."""
    k, n = values.shape
    tiles = -(-n // cols)
    padded = np.zeros((k, tiles * cols), np.int8)
    padded[:, :n] = values
    return padded.reshape(k, tiles, cols).transpose(1, 0, 2).reshape(tiles * k, cols).view(np.uint8)


def padded_rows(values: NDArray[np.int8], pitch_bytes: int) -> NDArray[np.uint8]:
    """(k, n) row-major with rows of pitch_bytes, zero padded."""
    padded = np.zeros((len(values), pitch_bytes), np.int8)
    padded[:, : values.shape[1]] = values
    return padded.view(np.uint8)


class _Builder:
    """Appends items to windows; an item that exists already must be the same."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.items: dict[str, Item] = {}
        self.ends = [0, 0, 0, 0]
        self.contents: dict[str, NDArray[np.uint8]] = {}

    def add(self, name: str, window: int, rows: int, words: int, pitch: int = 0, aligned: int = 1) -> Item:
        pitch = pitch or words
        offset = -(-self.ends[window] // aligned) * aligned
        if name in self.items:
            former = self.items[name]
            if (former.window, former.rows, former.words) != (window, rows, words):
                raise GraphError(f"{name}: two programs share it with different sizes")
            return former
        self.items[name] = Item(name, window, offset, rows, words, pitch)
        self.ends[window] = offset + rows * pitch
        return self.items[name]

    def rows_of(self, node: Node, rows: Affine) -> int:
        return rows.largest(self.config.max_len, self.config.m_max)

    def weight(self, graph: Graph, node: Node, spec: QuantSpec) -> None:
        if any(streams_as_panels(reader, node) for reader in graph.consumers(node)):
            data = panels(spec.columns[node.name].values, self.config.cols)
            self.contents[panel_item(node.name)] = data
            self.add(panel_item(node.name), WEIGHTS, 1, len(data))
        gathered = any(reader.op == "gather" for reader in graph.consumers(node))
        if gathered or has_place(graph, node):
            words = row_words(node, self.config)
            # A gather shifts ids into addresses, so its rows lie a power of two apart.
            pitch = 1 << (words - 1).bit_length()
            self.add(rows_item(node.name), WEIGHTS, node.shape.rows.imm, words, pitch, aligned=pitch)
            self.contents[rows_item(node.name)] = padded_rows(spec.tensors[node.name], pitch * self.config.cols)

    def input(self, node: Node) -> None:
        if node.kind == "cache":
            self.add(node.name, CACHES, self.config.max_len, row_words(node, self.config))
        else:
            self.add(node.name, INPUTS, self.rows_of(node, node.shape.rows), row_words(node, self.config))


def lay_out(graphs: Iterable[Graph], spec: QuantSpec, config: Config) -> Layout:
    """The windows of a model's fused graphs."""
    builder = _Builder(config)
    for graph in graphs:
        for node in graph.nodes:
            if node.op == "weight":
                builder.weight(graph, node, spec)
            elif node.op == "input":
                builder.input(node)
        for output in graph.outputs:
            if output.cache is None:
                rows = builder.rows_of(output.node, output.node.shape.rows)
                builder.add(output_item(graph, output.name), OUTPUTS, rows, row_words(output.node, config))
    a, b, c, d = builder.ends
    return Layout(builder.items, (a, b, c, d), builder.contents)


def place_windows(layout: Layout, config: Config, start: int) -> tuple[Window, Window, Window, Window]:
    """The four windows one after another in external memory, from byte `start` on."""
    windows = []
    for size, writable in zip(layout.sizes, WRITABLE, strict=True):
        base = -(-start // ALIGNMENT) * ALIGNMENT
        windows.append(Window(base, size * config.cols, writable))
        start = base + size * config.cols
    a, b, c, d = windows
    return a, b, c, d
