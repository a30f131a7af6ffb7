# SPDX-License-Identifier: Apache-2.0
"""A compiled recipe as text: the graph, what fusion left of it, the uses of its views in every run, the program."""

from collections import Counter
from collections.abc import Iterator

from capra import Graph, Node
from ga2.isa.disassembler import disassemble
from ga2.slices.subject import Subject


def describe(node: Node) -> str:
    """`keys: slice_rows(whole)[LEN : LEN+M] (M, 16)`."""
    rows = f"[{node.start} : {node.start + node.shape.rows}]" if node.op == "slice_rows" else ""
    flags = [name for name in ("transpose_b", "causal", "residual", "relu", "norm") if getattr(node, name)]
    operands = ", ".join(operand.name for operand in node.inputs) or node.kind
    return " ".join([f"{node.name} = {node.op}({operands}){rows}", str(node.shape), *flags])


def graph_lines(graph: Graph) -> Iterator[str]:
    """One node a line, then the outputs."""
    yield from (f"  {describe(node)}" for node in graph.nodes)
    for output in graph.outputs:
        yield f"  store {output.node.name}" + (f" behind {output.cache}" if output.cache else "")


def listing(subject: Subject) -> str:
    """The whole text."""
    lines = ["graph", *graph_lines(subject.graph), "compiled", *graph_lines(subject.program.graph)]
    for run in subject.recipe.runs:
        uses = Counter(f"{fact.source} -> {fact.consumer}, {fact.position}" for fact in subject.facts(run))
        shown = "; ".join(f"{use}" + (f" ({count})" if count > 1 else "") for use, count in uses.items())
        lines.append(f"run LEN={run.length} M={run.m}: {shown or 'no view is read'}")
    return "\n".join([*lines, "program", disassemble(subject.model.image)])
