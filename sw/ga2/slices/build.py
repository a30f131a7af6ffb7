# SPDX-License-Identifier: Apache-2.0
"""A recipe to Capra's graph, through the public interface alone, and to real-valued inputs for its runs."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from capra import LEN, Graph, Node
from ga2.slices.recipe import Recipe, Run, Step

PROGRAM = "main"
SCORE_SCALE = 0.25
Inputs = dict[str, NDArray[np.float64]]
ARITY = dict.fromkeys(("input", "cache", "ids", "weight"), 0)
ARITY |= dict.fromkeys(("softmax", "causal", "relu", "copy", "slice", "argmax", "output"), 1)
ARITY |= dict.fromkeys(("gather", "matmul", "transposed", "add", "append"), 2)


def step_name(index: int, step: Step) -> str:
    """The name of a step's node, or output."""
    return step.name or f"{step.op}_{index}"


def step_scale(step: Step) -> float:
    """The factor of a step's product."""
    usual = SCORE_SCALE if step.op == "transposed" else 1.0
    return usual if step.scale is None else step.scale


def weights(seed: int, index: int, step: Step) -> NDArray[np.float64]:
    """The numbers of a weight (k, n), scaled so that a product keeps the size of its left operand."""
    shape = step.rows.imm, step.cols
    return np.random.default_rng([seed, index]).normal(0, 1.2 / np.sqrt(shape[0]), shape)


class Builder:
    """Appends steps to a graph; `nodes` has one entry a step, None for an output.

    arrays: the weights that are given, by name; all others are drawn.
    """

    def __init__(self, seed: int, arrays: Mapping[str, NDArray] | None = None) -> None:
        self.seed, self.arrays = seed, arrays or {}
        self.graph = Graph(PROGRAM)
        self.nodes: list[Node | None] = []

    def add(self, step: Step) -> Node | None:
        """One more step; GraphError if the graph refuses it."""
        index = len(self.nodes)
        name = step_name(index, step)
        if len(step.inputs) != ARITY.get(step.op, len(step.inputs)):
            raise ValueError(f"{name}: a step {step.op} takes {ARITY[step.op]} inputs, not {len(step.inputs)}")
        node = self.make(step, name, [self.operand(source) for source in step.inputs], index)
        self.nodes.append(node)
        return node

    def operand(self, index: int) -> Node:
        """The tensor of a step; ValueError if it has none."""
        node = self.nodes[index]
        if node is None:
            raise ValueError(f"step {index} is an output and no tensor")
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
                given = self.arrays.get(name)
                return graph.weight(name, weights(self.seed, index, step) if given is None else given, role=role)
            case "gather":
                return graph.gather(operands[0], operands[1], name=name)
            case "matmul":
                return graph.matmul(operands[0], operands[1], scale=step_scale(step), name=name, role=role)
            case "transposed":
                return graph.matmul(operands[0], operands[1], True, step_scale(step), name=name, role=role)
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


def build(recipe: Recipe, arrays: Mapping[str, NDArray] | None = None) -> Graph:
    """The graph of a recipe; GraphError if it has none. arrays: weights by the name of their step."""
    builder = Builder(recipe.seed, arrays)
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


