# SPDX-License-Identifier: Apache-2.0
"""Quantisation: a scale for every role, bytes for every weight."""

from collections.abc import Iterable

import numpy as np

from capra.graph import Graph
from capra.node import Node
from capra.quantise import INT8_MAX, QuantSpec, streams_as_panels
from capra.shapes import is_ids
from capra.verify.errors import require

HALF_STEP = 0.5 + 1e-6


def verify_quantisation(graphs: Iterable[Graph], spec: QuantSpec) -> None:
    """Scales are positive and finite; a weight's bytes are within half a step of its numbers, none is -128."""
    for graph in graphs:
        for node in graph.nodes:
            if node.op == "weight":
                _verify_weight(graph, node, spec)
            elif node.op != "softmax" and not is_ids(node):
                scale = spec.scale(node.role)
                require(bool(np.isfinite(scale)) and scale > 0, f"{node}: one step of {node.role} is {scale}")


def _verify_weight(graph: Graph, node: Node, spec: QuantSpec) -> None:
    streamed = [reader for reader in graph.consumers(node) if streams_as_panels(reader, node)]
    others = [reader for reader in graph.consumers(node) if reader not in streamed or reader.inputs[0] is node]
    array = graph.weights[node.name]
    if streamed:
        require(node.name in spec.columns, f"{node}: has no columns")
        column = spec.columns[node.name]
        require(column.scales.shape == (array.shape[1],), f"{node}: {column.scales.shape} scales of columns")
        require(bool((column.scales > 0).all()), f"{node}: a column's scale is not positive")
        _verify_bytes(node, column.values, array / column.scales)
    if others or graph.is_output(node):
        require(node.name in spec.tensors, f"{node}: has no rows")
        _verify_bytes(node, spec.tensors[node.name], array / spec.scale(node.role))


def _verify_bytes(node: Node, values: np.ndarray, steps: np.ndarray) -> None:
    require(values.dtype == np.int8 and values.shape == steps.shape, f"{node}: bytes of another shape")
    require(int(values.min()) >= -INT8_MAX, f"{node}: -128 is no byte of a weight")
    near = np.abs(values - np.clip(steps, -INT8_MAX, INT8_MAX)) <= HALF_STEP
    require(bool(near.all()), f"{node}: bytes farther than half a step from their numbers")
