# SPDX-License-Identifier: Apache-2.0
"""Pass `relu`: a relu becomes the lower clamp of the product that feeds it."""

from dataclasses import replace

from capra.graph import Graph
from capra.node import Node
from capra.rewrite import only_reader, prune, rewrite


def fuse_relus(graph: Graph) -> Graph:
    """The graph in which every relu that may is part of a product, which takes the relu's name."""
    return prune(rewrite(graph, _relu))


def _relu(graph: Graph, node: Node) -> list[Node]:
    if node.op != "relu":
        return []
    product = node.inputs[0]
    if product.op != "matmul" or not only_reader(graph, product):
        return []
    return [replace(product, name=node.name, role=node.role, relu=True)]
