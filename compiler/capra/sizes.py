# SPDX-License-Identifier: Apache-2.0
"""Pass `shapes`: what external memory asks of a program's sizes. Shapes themselves follow from the operands."""

from capra.graph import Graph
from capra.node import GraphError


def check_sizes(graph: Graph) -> Graph:
    """The graph; GraphError if rows of an input or an output would lie a varying number of bytes apart."""
    for node in graph.nodes:
        if node.op == "input" and not node.shape.cols.constant:
            raise GraphError(f"{node.name}: an input has a constant number of columns, not {node.shape.cols}")
    for output in graph.outputs:
        if not output.node.shape.cols.constant:
            raise GraphError(f"output {output.name}: {output.node} has no constant number of columns")
    return graph
