# SPDX-License-Identifier: Apache-2.0
"""A graph: order, names, shapes, roles, and flags where they mean something."""

from capra.graph import Graph
from capra.node import Node
from capra.shapes import infer, is_ids
from capra.verify.errors import require

VIEWS = ("slice_rows", "concat_rows")


def verify_graph(graph: Graph) -> None:
    """Operands come before their readers, names are unique, shapes follow from the operands, views have their source's
    scale, and outputs are of the graph."""
    seen: set[str] = set()
    for node in graph.nodes:
        for operand in node.inputs:
            require(operand.name in seen and operand in graph.nodes, f"{node}: {operand.name} comes too late")
        require(node.name not in seen, f"{node}: the name is taken")
        _verify_node(graph, node)
        require(infer(node) == node.shape, f"{node}: its operands give {infer(node)}")
        seen.add(node.name)
    names = [output.name for output in graph.outputs]
    require(len(set(names)) == len(names), f"graph {graph.name}: two outputs have one name: {names}")
    for output in graph.outputs:
        require(output.node in graph.nodes, f"output {output.name}: {output.node.name} is not in the graph")
        if output.cache is not None:
            caches = [node for node in graph.nodes if node.kind == "cache" and node.name == output.cache]
            require(bool(caches), f"output {output.name}: the graph has no cache {output.cache}")
            require(caches[0].role == output.node.role, f"output {output.name}: not in the scale of {output.cache}")


def _verify_node(graph: Graph, node: Node) -> None:
    if (node.op in VIEWS or node.op == "copy") and not is_ids(node):
        for operand in node.inputs:
            require(operand.role == node.role, f"{node}: has role {node.role}, {operand.name} has {operand.role}")
    if node.op == "weight":
        require(node.name in graph.weights, f"{node}: has no numbers")
        require(graph.weights[node.name].shape == node.shape.at(0, 1), f"{node}: its numbers have another shape")
    for flag, op in (("causal", "softmax"), ("norm", "softmax"), ("relu", "matmul"), ("residual", "matmul")):
        require(node.op == op or not getattr(node, flag), f"{node}: {flag} says nothing of a {node.op}")
    require(len(node.inputs) == 3 or not node.residual, f"{node}: a residual product of {len(node.inputs)} tensors")


def verify_pruned(graph: Graph) -> None:
    """Every node is needed by an output, or is the cache that one is appended to."""
    needed: set[Node] = {output.node for output in graph.outputs}
    caches = {output.cache for output in graph.outputs}
    for node in reversed(graph.nodes):
        require(node in needed or node.name in caches, f"{node}: no output needs it")
        needed |= set(node.inputs)
