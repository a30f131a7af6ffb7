# SPDX-License-Identifier: Apache-2.0
"""Pass `residual`: `x + l r` adds x inside the product's accumulator, before its one requantisation."""

from dataclasses import replace

from capra.graph import Graph
from capra.node import Node
from capra.rewrite import only_reader, prune, rewrite


def fuse_residuals(graph: Graph) -> Graph:
    """The graph in which every sum that may is part of a product, which takes the sum's name."""
    return prune(rewrite(graph, _residual))


def _residual(graph: Graph, node: Node) -> list[Node]:
    if node.op != "add":
        return []
    for kept, product in (node.inputs, node.inputs[::-1]):
        plain = product.op == "matmul" and not product.residual and product.inputs[0].op != "softmax"
        if plain and kept is not product and kept.op != "softmax" and only_reader(graph, product):
            merged = replace(product, name=node.name, role=node.role, residual=True, inputs=(*product.inputs, kept))
            return [merged]
    return []
