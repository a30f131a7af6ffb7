# SPDX-License-Identifier: Apache-2.0
"""A compiled recipe as text: the graph, what fusion left of it, the uses of its views in every run, the program."""

from collections import Counter

from capra.dump import graph_lines
from ga2.isa.disassembler import disassemble
from ga2.slices.subject import Subject


def listing(subject: Subject) -> str:
    """The whole text."""
    lines = ["graph", *graph_lines(subject.graph), "compiled", *graph_lines(subject.program.graph)]
    for run in subject.recipe.runs:
        uses = Counter(f"{fact.source} -> {fact.consumer}, {fact.position}" for fact in subject.facts(run))
        shown = "; ".join(f"{use}" + (f" ({count})" if count > 1 else "") for use, count in uses.items())
        lines.append(f"run LEN={run.length} M={run.m}: {shown or 'no view is read'}")
    return "\n".join([*lines, "program", disassemble(subject.model.image)])
