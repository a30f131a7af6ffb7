# SPDX-License-Identifier: Apache-2.0
"""Fusion: the rewriting passes in their order, a graph to a smaller graph with the same float meaning."""

from collections.abc import Callable
from dataclasses import dataclass

from capra.causal import fuse_causal_blocks
from capra.graph import Graph
from capra.normalise import normalise
from capra.relu import fuse_relus
from capra.residual import fuse_residuals
from capra.rewrite import prune


@dataclass(frozen=True)
class FusionOptions:
    """Which rewrites apply; `causal` changes no bit, the others decide where values are rounded."""

    causal: bool = True
    residual: bool = True
    relu: bool = True


REWRITES: dict[str, Callable[[Graph], Graph]] = {
    "prune": prune,
    "causal": fuse_causal_blocks,
    "residual": fuse_residuals,
    "relu": fuse_relus,
    "normalise": normalise,
}
"""By the name of the pass. One that is also the name of an option can be switched off."""


def rewritten(graph: Graph, name: str, options: FusionOptions) -> Graph:
    """The graph after one rewriting pass; the same one if the pass is off."""
    return REWRITES[name](graph) if getattr(options, name, True) else graph


def fuse(graph: Graph, options: FusionOptions = FusionOptions()) -> Graph:
    """The fused graph. Names of surviving tensors are kept: a fused product takes the name of what it computes."""
    for name in REWRITES:
        graph = rewritten(graph, name, options)
    return graph
