# SPDX-License-Identifier: Apache-2.0
"""A recipe to Capra's graph, through the public interface alone, and to real-valued inputs for its runs."""

import numpy as np
from numpy.typing import NDArray

from capra import LEN, Graph, Node
from ga2.slices.recipe import Recipe, Run, Step

PROGRAM = "main"
SCORE_SCALE = 0.25
Inputs = dict[str, NDArray[np.float64]]


def step_name(index: int, step: Step) -> str:
    """The name of a step's node, or output."""
    return f"{step.op}_{index}"


def weights(seed: int, index: int, step: Step) -> NDArray[np.float64]:
    """The numbers of a weight (k, n), scaled so that a product keeps the size of its left operand."""
    shape = step.rows.imm, step.cols
    return np.random.default_rng([seed, index]).normal(0, 1.2 / np.sqrt(shape[0]), shape)


class Builder:
    """Appends steps to a graph; `nodes` has one entry a step, None for an output."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.graph = Graph(PROGRAM)
        self.nodes: list[Node | None] = []

    def add(self, step: Step) -> Node | None:
        """One more step; GraphError if the graph refuses it."""
        index = len(self.nodes)
        operands = [self.operand(source) for source in step.inputs]
        node = self.make(step, step_name(index, step), operands, index)
        self.nodes.append(node)
        return node

    def operand(self, index: int) -> Node:
        """The tensor of a step."""
        node = self.nodes[index]
        assert node is not None, f"step {index} is an output and no tensor"
        return node

    def make(self, step: Step, name: str, operands: list[Node], index: int) -> Node | None:
        graph, role = self.graph, step.role or None
        match step.op:
            case "input":
                return graph.input(name, step.rows, step.cols, role=role)
            case "cache":
                return graph.input(name, LEN, step.cols, kind="cache", role=role)
            case "ids":
                return graph.input(name, step.rows, 1, kind="ids")
            case "weight":
                return graph.weight(name, weights(self.seed, index, step), role=role)
            case "gather":
                return graph.gather(operands[0], operands[1], name=name)
            case "matmul":
                return graph.matmul(operands[0], operands[1], name=name, role=role)
            case "transposed":
                return graph.matmul(operands[0], operands[1], True, SCORE_SCALE, name=name, role=role)
            case "softmax" | "causal":
                return graph.softmax(operands[0], step.op == "causal", name=name)
            case "add":
                return graph.add(operands[0], operands[1], name=name, role=role)
            case "relu":
                return graph.relu(operands[0], name=name, role=role)
            case "copy":
                return graph.copy(operands[0], name=name)
            case "concat":
                return graph.concat_rows(*operands, name=name)
            case "slice":
                return graph.slice_rows(operands[0], step.start, step.rows, name=name)
            case "argmax":
                return graph.argmax(operands[0], name=name)
            case "output":
                graph.output(name, operands[0])
            case "append":
                graph.output(name, operands[0], cache=operands[1])
            case other:
                raise ValueError(f"a recipe has no step '{other}'")
        return None


def build(recipe: Recipe) -> Graph:
    """The graph of a recipe; GraphError if it has none."""
    builder = Builder(recipe.seed)
    for step in recipe.steps:
        builder.add(step)
    return builder.graph


def real_inputs(graph: Graph, seed: int, run: Run) -> Inputs:
    """Real values for every input of a graph: rows and caches normal, ids below every table's rows."""
    limit = min((node.inputs[0].shape.rows.imm for node in graph.nodes if node.op == "gather"), default=1)
    found: Inputs = {}
    for index, node in enumerate(graph.nodes):
        if node.op == "input":
            source = np.random.default_rng([seed, run.length, run.m, index])
            shape = node.shape.at(run.length, run.m)
            ids = source.integers(0, limit, shape).astype(np.float64)
            found[node.name] = ids if node.kind == "ids" else source.normal(0, 1, shape)
    return found


