# SPDX-License-Identifier: Apache-2.0
"""Streamed weights: every panel crosses the bus once, in a chunk that is not too large, and is used by each product."""

from capra.graph import Graph
from capra.lower import Lowered
from capra.ops import Op
from capra.quantise import streams_as_panels
from capra.verify.errors import require
from ga2.spec import Config


def verify_streams(graph: Graph, lowered: Lowered, config: Config, limit_words: int) -> None:
    """VerifyError names the weight, or the product that misses a chunk."""
    loads: dict[str, list[Op]] = {}
    for op in lowered.ops:
        if op.weight:
            loads.setdefault(op.weight, []).append(op)
    for node in graph.nodes:
        readers = [reader for reader in graph.consumers(node) if streams_as_panels(reader, node)]
        if not readers:
            continue
        depth, tiles = node.shape.rows.imm, -(-node.shape.cols.imm // config.cols)
        end = 0
        for op in sorted(loads.pop(node.name, []), key=lambda op: op.ext.word if op.ext else 0):
            require(op.ext is not None and op.ext.word == end, f"{node}: word {end} is not loaded once")
            words = op.dims["words"].imm
            require(words % depth == 0, f"{node}: a chunk of {words} words splits a panel")
            require(words <= max(depth, limit_words), f"{node}: a chunk of {words} words, more than {limit_words}")
            end += words
            chunk = op.operands["dst"].buffer
            for reader in readers:
                uses = [each for each in lowered.ops if each.node == reader.name and each.opcode == "MM"
                        and each.operands["right"].buffer == chunk]  # fmt: skip
                require(len(uses) == 1 and op in lowered.after[uses[0]], f"{reader}: does not use {chunk} once")
                first = (op.ext.word if op.ext else 0) // depth
                require(uses[0].operands["out"].word == first, f"{reader}: {chunk} makes other columns")
        require(end == tiles * depth, f"{node}: {end} of its {tiles * depth} words are loaded")
    require(not loads, f"graph {graph.name}: loads {', '.join(loads)}, which no product reads")
