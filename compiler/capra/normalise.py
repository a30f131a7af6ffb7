# SPDX-License-Identifier: Apache-2.0
"""Pass `normalise`: a softmax that is stored is normalised; one that only feeds products stays exponentials."""

from dataclasses import replace

from capra.graph import Graph
from capra.node import Node
from capra.rewrite import rewrite


def normalise(graph: Graph) -> Graph:
    """The graph in which a softmax that is an output gives probabilities over 256."""
    return rewrite(graph, _normalised)


def _normalised(graph: Graph, node: Node) -> list[Node]:
    return [replace(node, norm=True)] if node.op == "softmax" and graph.is_output(node) else []
