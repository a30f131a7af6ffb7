# SPDX-License-Identifier: Apache-2.0
"""What a program takes at least, whatever the core: beats on its read bus, and steps of its array.

The bus must bring every weight that a product uses once, an embedding row and an id for each row of the block, and the
cached rows. The array steps once for every row of the right operand, for every tile of its height and width.
"""

from dataclasses import dataclass

from capra.graph import Graph
from capra.node import Node
from ga2.spec import Config


@dataclass(frozen=True)
class Bounds:
    """Read beats, array steps, and the bytes of the beats that are weights."""

    bus: int
    array: int
    weight_bytes: int


def _weights(graph: Graph) -> list[Node]:
    products = [node for node in graph.nodes if node.op == "matmul"]
    return list(dict.fromkeys(node.inputs[1] for node in products if node.inputs[1].op == "weight"))


def _bytes(node: Node, length: int, m: int) -> int:
    rows, cols = node.shape.at(length, m)
    return rows * cols


def bounds(graph: Graph, config: Config, length: int, m: int, *, resident: bool = False) -> Bounds:
    """The bounds of a program for LEN and M; with `resident` its weights are in the scratchpad already."""
    weights = 0 if resident else sum(_bytes(node, length, m) for node in _weights(graph))
    inputs = [node for node in graph.nodes if node.op == "input"]
    rows = sum(_bytes(node, length, m) for node in graph.nodes if node.op == "gather")
    rows += sum(_bytes(node, length, m) for node in inputs if node.kind != "ids")
    ids = sum(_bytes(node, length, m) for node in inputs if node.kind == "ids") * config.beats_per_word
    array = sum(_steps(node, config, length, m) for node in graph.nodes if node.op == "matmul")
    return Bounds(-(-(weights + rows) // config.bus_bytes) + ids, array, weights)


def _steps(product: Node, config: Config, length: int, m: int) -> int:
    rows, cols = product.shape.at(length, m)
    depth = product.inputs[0].shape.at(length, m)[1]
    return -(-rows // config.rows) * -(-cols // config.cols) * depth
