# SPDX-License-Identifier: Apache-2.0
"""What the rewriting passes share: replace nodes by a rule, and drop what no output needs."""

from collections.abc import Callable
from dataclasses import replace

from capra.graph import Graph, Output
from capra.node import Node


def prune(graph: Graph) -> Graph:
    """The graph without nodes that no output needs."""
    needed: set[Node] = set()
    pending = [output.node for output in graph.outputs]
    pending += [graph.node(output.cache) for output in graph.outputs if output.cache]
    while pending:
        node = pending.pop()
        if node not in needed:
            needed.add(node)
            pending += node.inputs
    nodes = [node for node in graph.nodes if node in needed]
    weights = {node.name: graph.weights[node.name] for node in nodes if node.op == "weight"}
    return Graph(graph.name, nodes, weights, list(graph.outputs))


def rewrite(graph: Graph, rule: Callable[[Graph, Node], list[Node]]) -> Graph:
    """Apply `rule` to every node: the nodes that replace it (the last one takes its place), or [] to leave it."""
    made: dict[Node, Node] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        for new in rule(graph, node) or [node]:
            current = replace(new, inputs=tuple(made[operand] for operand in new.inputs))
            made[new] = current
            nodes.append(current)
        made[node] = current
    outputs = [Output(output.name, made[output.node], output.cache) for output in graph.outputs]
    return Graph(graph.name, nodes, graph.weights, outputs)


def only_reader(graph: Graph, node: Node) -> bool:
    """True if exactly one node reads `node`, and no output: a rewrite may then take it away."""
    return len(graph.consumers(node)) == 1 and not graph.is_output(node)
