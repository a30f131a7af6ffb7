# SPDX-License-Identifier: Apache-2.0
"""Capra, the compiler of GA2: graphs of a small transformer to programs for the core.

    model = compile_model(config, weights, ranges, drafts={"matmul": Wd, "table": L})

gives the image, the windows, the weight bytes and where every input and output lies. `Graph` and `compile_graphs` do
the same for other graphs; `evaluate` and `interpret` are their float and integer meaning.
"""

from capra.affine import LEN, Affine, M
from capra.allocate import AllocationError
from capra.compile import CompiledModel, Program, Symbol, compile_graphs, compile_model, model_graphs
from capra.emit import EmitError
from capra.evaluate import calibrate, evaluate
from capra.fuse import FusionOptions, fuse
from capra.graph import Graph
from capra.interpret import interpret
from capra.library import draft_graph, target_graph
from capra.node import GraphError, Node
from capra.quantise import QuantError, QuantSpec, quantise

__all__ = [
    "LEN",
    "M",
    "Affine",
    "AllocationError",
    "CompiledModel",
    "EmitError",
    "FusionOptions",
    "Graph",
    "GraphError",
    "Node",
    "Program",
    "QuantError",
    "QuantSpec",
    "Symbol",
    "calibrate",
    "compile_graphs",
    "compile_model",
    "draft_graph",
    "evaluate",
    "fuse",
    "interpret",
    "model_graphs",
    "quantise",
    "target_graph",
]
