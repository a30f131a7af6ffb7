# SPDX-License-Identifier: Apache-2.0
"""Pass `stream`: a weight larger than the scratchpad, or than what is free of it, travels through in chunks of panels.

Lowering loads panel by panel. Here panels that are there before the first of them is used become one load and one
product.
"""

from collections import defaultdict

from capra.graph import Graph
from capra.lower import Lowered, lower
from capra.ops import Op
from capra.place import Placement
from capra.quantise import QuantSpec
from capra.schedule import Timeline, schedule
from ga2.spec import Config


def stream(
    graph: Graph, placement: Placement, spec: QuantSpec, config: Config, lowered: Lowered, prefetch_words: int,
    patience: int,
) -> Lowered:  # fmt: skip
    """The operations anew, with the panels of `lowered` joined to chunks of at most `prefetch_words`, or a bank."""
    alone = schedule(lowered, config, prefetch_words, patience)
    chunking = coarse_chunks(lowered, alone, chunk_limit(config, prefetch_words))
    return lower(graph, placement, spec, config, chunking)


def chunk_limit(config: Config, prefetch_words: int) -> int:
    """The most words of a chunk; a single panel may be larger."""
    return min(prefetch_words, config.bank_words)


def coarse_chunks(lowered: Lowered, timeline: Timeline, limit_words: int) -> dict[str, tuple[int, ...]]:
    """Panels in each chunk, by weight: panels that are there when the first of them is used travel together.

    `timeline` is of single panels. Panels gain nothing from arriving one by one then, and fewer instructions leave the
    window to others. No chunk exceeds `limit_words`, except that a panel is never split.
    """
    loads: dict[str, list[Op]] = defaultdict(list)
    first_use: dict[Op, int] = {}
    for op in lowered.ops:
        if op.weight:
            loads[op.weight].append(op)
        for before in lowered.after[op]:
            if before.weight:
                first_use[before] = min(timeline.start[op], first_use.get(before, timeline.start[op]))
    chunking: dict[str, tuple[int, ...]] = {}
    for weight, panels in loads.items():
        most = max(1, limit_words // panels[0].dims["words"].imm)
        sizes: list[int] = []
        used = -1
        for panel in panels:
            if sizes and timeline.done[panel] <= used and sizes[-1] < most:
                sizes[-1] += 1
            else:
                sizes.append(1)
                used = first_use[panel]
        chunking[weight] = tuple(sizes)
    return chunking
