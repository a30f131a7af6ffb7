# SPDX-License-Identifier: Apache-2.0
"""The graphs of the tiny language model and of its drafts. Any width, hidden size and vocabulary.

weights: E (V, D); Wq, Wk, Wv, Wo (D, D); W1 (D, H); W2 (H, D); Wout (D, V). The roles are those of the calibration:
x, q, k, v, scores, attention, h, f, y, logits.
"""

import re
from collections.abc import Callable, Mapping
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from capra.affine import LEN, Affine, M
from capra.graph import Graph
from capra.node import Node

Weights = Mapping[str, NDArray[np.float64]]
Attention = Callable[[Graph, Node, Node, Node], Node]


def causal_attention(graph: Graph, q: Node, keys: Node, values: Node) -> Node:
    """Attention of the whole block in one product, one softmax, one product; M at run time."""
    width = q.shape.cols.imm
    scores = graph.matmul(q, keys, transpose_b=True, scale=1 / sqrt(width), name="scores")
    probabilities = graph.softmax(scores, causal=True, name="probabilities")
    return graph.matmul(probabilities, values, name="attention")


def sliced_attention(graph: Graph, q: Node, keys: Node, values: Node) -> Node:
    """The same attention row by row, over prefix slices of keys and values; the block's rows are fixed."""
    width, rows, context = q.shape.cols.imm, q.shape.rows, keys.shape.rows
    parts = []
    for i in range(rows.imm):
        seen = context - rows + (i + 1)
        scores = graph.matmul(
            graph.slice_rows(q, i, 1, name=f"q_{i}"),
            graph.slice_rows(keys, 0, seen, name=f"keys_{i}"),
            transpose_b=True,
            scale=1 / sqrt(width),
            name=f"scores_{i}",
            role="scores",
        )
        probabilities = graph.softmax(scores, name=f"probabilities_{i}")
        seen_values = graph.slice_rows(values, 0, seen, name=f"values_{i}")
        parts.append(graph.matmul(probabilities, seen_values, name=f"attention_{i}", role="attention"))
    return graph.concat_rows(*parts, name="attention")


def target_graph(weights: Weights, rows: int | None = None, name: str = "target") -> Graph:
    """The target: a block of M rows on a cache of LEN rows. With `rows` the block is fixed and attention is sliced."""
    graph = Graph(name)
    block = M if rows is None else Affine(rows)
    matrix = _target_weights(graph, weights)
    ids = graph.input("ids", block, 1, kind="ids")
    x = graph.gather(matrix["E"], ids, name="x")
    attention, logits = target_layer(graph, matrix, x, causal_attention if rows is None else sliced_attention)
    graph.output("attention", attention)
    graph.output("logits", logits)
    graph.output("choice", graph.argmax(logits, name="choice"))
    return graph


def _target_weights(graph: Graph, weights: Weights) -> dict[str, Node]:
    return {key: graph.weight(key, weights[key], role="x" if key == "E" else None) for key in weights}


def target_layer(graph: Graph, matrix: Mapping[str, Node], x: Node, attend: Attention) -> tuple[Node, Node]:
    """The target on embedded rows x: (attention, logits). Appends keys and values to the caches."""
    width = x.shape.cols.imm
    k_cache = graph.input("k_cache", LEN, width, kind="cache", role="k")
    v_cache = graph.input("v_cache", LEN, width, kind="cache", role="v")
    q = graph.matmul(x, matrix["Wq"], name="q")
    k = graph.matmul(x, matrix["Wk"], name="k")
    keys = graph.concat_rows(k_cache, k, name="keys")
    v = graph.matmul(x, matrix["Wv"], name="v")
    values = graph.concat_rows(v_cache, v, name="values")
    attention = attend(graph, q, keys, values)
    h = graph.add(x, graph.matmul(attention, matrix["Wo"], name="projected"), name="h")
    f = graph.relu(graph.matmul(h, matrix["W1"], name="hidden"), name="f")
    y = graph.add(h, graph.matmul(f, matrix["W2"], name="expanded"), name="y")
    logits = graph.matmul(y, matrix["Wout"], name="logits")
    graph.output("k", k, cache=k_cache)
    graph.output("v", v, cache=v_cache)
    return attention, logits


def draft_step(graph: Graph, table: Node, weight: Node | None, ids: Node, suffix: str = "") -> Node:
    """The choice of a bigram draft: a gathered row, a product if `weight` is given, an argmax."""
    return draft_choice(graph, graph.gather(table, ids, name=f"row{suffix}"), weight, suffix)


def draft_choice(graph: Graph, row: Node, weight: Node | None, suffix: str = "") -> Node:
    """The choice of a bigram draft from the row that it has gathered."""
    if weight is not None:
        row = graph.matmul(row, weight, name=f"guess_logits{suffix}", role="draft_logits")
    return graph.argmax(row, name=f"guess{suffix}")


def _draft_weights(graph: Graph, embedding: NDArray, form: str, array: NDArray) -> tuple[Node, Node | None]:
    if form == "matmul":
        return graph.weight("E", embedding, role="x"), graph.weight("Wd", array)
    return graph.weight("L", array, role="draft_table"), None


def draft_graph(embedding: NDArray, form: str, array: NDArray, steps: int = 0, name: str = "") -> Graph:
    """A bigram draft over M ids; `form` matmul (array Wd (D, V)) or table (array L (V, V)).

    With `steps` the guesses are chained on the core: guess s + 1 gathers by guess s, outputs choice_0, choice_1, ...
    """
    graph = Graph(name or (f"{form}_chain_{steps}" if steps else f"draft_{form}"))
    table, weight = _draft_weights(graph, embedding, form, array)
    ids = graph.input("ids", M, 1, kind="ids")
    if not steps:
        graph.output("choice", draft_step(graph, table, weight, ids))
        return graph
    for step in range(steps):
        ids = draft_step(graph, table, weight, ids, f"_{step}")
        graph.output(f"choice_{step}", ids)
    return graph


def block_name(form: str, guesses: int) -> str:
    """Name of the program of a whole block."""
    return f"{form}_block_{guesses}"


def block_of_name(name: str) -> tuple[str, int] | None:
    """(draft form, guesses) of a block's program; None if `name` is no such program's."""
    found = re.fullmatch(r"(matmul|table)_block_([1-9]\d?)", name, re.ASCII)
    return (found[1], int(found[2])) if found else None


def block_graph(weights: Weights, form: str, array: NDArray, guesses: int) -> Graph:
    """A whole speculative block: `guesses` >= 1 chained guesses after the id `last`, then the target on all of them.

    Outputs: guesses (guesses, 1), choice (guesses + 1, 1), keys and values appended to the caches. form, array: as of
    `draft_graph`. Each row of E is gathered once: it is a row of the target's x, and in the matmul form the draft's.
    """
    graph = Graph(block_name(form, guesses))
    matrix = _target_weights(graph, weights)
    weight = graph.weight("Wd", array) if form == "matmul" else None
    table = graph.weight("L", array, role="draft_table") if form == "table" else None

    ids = [graph.input("last", 1, 1, kind="ids")]
    rows = [graph.gather(matrix["E"], ids[0], name="x_0")]
    for step in range(guesses):
        row = rows[step] if table is None else graph.gather(table, ids[step], name=f"row_{step}")
        ids.append(draft_choice(graph, row, weight, f"_{step}"))
        rows.append(graph.gather(matrix["E"], ids[-1], name=f"x_{step + 1}"))
    logits = target_layer(graph, matrix, graph.concat_rows(*rows, name="x"), causal_attention)[1]
    graph.output("guesses", graph.concat_rows(*ids[1:], name="guesses"))
    graph.output("choice", graph.argmax(logits, name="choice"))
    return graph
