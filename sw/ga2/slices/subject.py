# SPDX-License-Identifier: Apache-2.0
"""A recipe compiled: the model, and for each of its runs the inputs in real numbers and in bytes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from capra import (
    AllocationError,
    CompiledModel,
    EmitError,
    FusionOptions,
    Graph,
    GraphError,
    Program,
    QuantError,
    calibrate,
    compile_graphs,
    evaluate,
)
from capra.rewrite import prune
from capra.shapes import is_ids
from ga2.isa.encoding import EncodeError
from ga2.slices.build import PROGRAM, Inputs, build, real_inputs
from ga2.slices.facts import Fact, facts
from ga2.slices.recipe import Recipe, Run
from ga2.spec import Config

Tensors = Mapping[str, NDArray]
Refused: tuple[type[Exception], ...] = (GraphError, QuantError, AllocationError, EmitError, EncodeError)
"""What Capra raises for a graph that it refuses; all are ValueErrors."""
UNFUSED = FusionOptions(causal=False, residual=False, relu=False)


@dataclass(frozen=True)
class Subject:
    """A compiled recipe. `graph` is as the recipe says it, without what no output needs."""

    recipe: Recipe
    graph: Graph
    model: CompiledModel
    inputs: Mapping[Run, Inputs]
    real: Mapping[Run, Tensors]

    @cached_property
    def program(self) -> Program:
        """The one program."""
        return self.model.programs[PROGRAM]

    def bytes_of(self, run: Run) -> dict[str, NDArray]:
        """The inputs of a run as the program takes them: int8 of their role's scale, ids as they are."""
        nodes = {node.name: node for node in self.program.graph.nodes if node.op == "input"}
        real = self.inputs[run]
        return {
            name: real[name].astype(np.int64) if is_ids(node) else self.model.spec.quantise(node.role, real[name])
            for name, node in nodes.items()
        }

    def facts(self, run: Run) -> list[Fact]:
        """What a run has to do with slices."""
        return facts(self.program.graph, run)


def compile_recipe(config: Config, recipe: Recipe) -> Subject:
    """Calibrate on the recipe's own runs and compile. Raises one of `Refused`."""
    graph = prune(build(recipe))
    inputs = {run: real_inputs(graph, recipe.seed, run) for run in recipe.runs}
    real = {run: evaluate(graph, inputs[run], run.length, run.m) for run in recipe.runs}
    options = FusionOptions() if recipe.fused else UNFUSED
    model = compile_graphs(config, [graph], calibrate(graph, real.values()), options, tuned=recipe.tuned)
    return Subject(recipe, graph, model, inputs, real)
