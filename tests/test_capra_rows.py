# SPDX-License-Identifier: Apache-2.0
"""The verdict on rows: what it calls row-invariant is, on drawn graphs; what mixes rows is named; hosts refuse it."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capra import LEN, Graph, GraphError, M, Node, compile_graphs, fuse, interpret, quantise
from capra.quantise import QuantError
from capra.verify import VerifyError, not_invariant, output_rows, row_dependence, verify_same_rows
from ga2.spec import load_config
from ga2.speculation.session import NotInvariant, Session
from ga2.stimulus import tiny_graphs

WIDTH = 8
NANO = load_config("nano")


def attention_graph() -> tuple[Graph, Node, Node, Node, Node]:
    """x, q, keys and values of a block behind its cache."""
    rng, graph = np.random.default_rng(5), Graph("target")
    x = graph.input("x", M, WIDTH)
    made = []
    for name in ("q", "k", "v"):
        made.append(graph.matmul(x, graph.weight(f"W{name}", rng.normal(0, 0.4, (WIDTH, WIDTH))), name=name))
    q, k, v = made
    wholes = []
    for rows, role in ((k, "k"), (v, "v")):
        cache = graph.input(f"{role}_cache", LEN, WIDTH, kind="cache", role=role)
        graph.output(role, rows, cache=cache)
        wholes.append(graph.concat_rows(cache, rows, name=f"{role}_all"))
    return graph, x, q, *wholes


def not_causal(graph: Graph, x: Node, q: Node, keys: Node, values: Node) -> Node:
    return graph.matmul(graph.softmax(graph.scores(q, keys), name="seen"), values)


def own_rows_mixed(graph: Graph, x: Node, q: Node, keys: Node, values: Node) -> Node:
    return graph.scores(x, q, name="mixed")


def first_position(graph: Graph, x: Node, q: Node, keys: Node, values: Node) -> Node:
    return graph.matmul(graph.slice_rows(keys, 0, 1, name="first"), graph.weight("W", np.ones((WIDTH, WIDTH))))


def another_row(graph: Graph, x: Node, q: Node, keys: Node, values: Node) -> Node:
    return graph.matmul(graph.slice_rows(x, M - 1, 1, name="last"), graph.weight("W", np.ones((WIDTH, WIDTH))))


def block_only(graph: Graph, x: Node, q: Node, keys: Node, values: Node) -> Node:
    """Causal among the block's own rows: the cache is left out."""
    return graph.matmul(graph.softmax(graph.scores(q, x, name="inner"), causal=True), x)


def scores_shown(graph: Graph, x: Node, q: Node, keys: Node, values: Node) -> Node:
    return graph.scores(q, keys, name="shown")


BROKEN: dict[str, tuple[Callable[..., Node], str]] = {
    "a softmax that sees later rows": (not_causal, "seen (softmax) is not causal"),
    "rows against rows": (own_rows_mixed, "mixed (matmul) sets every row against the rows of q"),
    "another row": (another_row, "last (slice_rows) takes rows M-1 .. M-1 of x"),
    "the first row of the history": (first_position, "first (slice_rows) takes rows 0 .. 0 of k_all"),
    "attention without the cache": (block_only, "inner (matmul) sets every row against the rows of x"),
    "scores as they are": (scores_shown, "shown (matmul) has as many columns"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_mixes_rows_is_named(name: str) -> None:
    build, says = BROKEN[name]
    graph, *tensors = attention_graph()
    graph.output("out", build(graph, *tensors))
    [(output, rows)] = not_invariant(graph).items()
    assert output == "out" and rows.why.startswith(says), rows
    assert output_rows(graph)["k"].invariant


def test_a_history_of_other_rows_than_are_appended() -> None:
    graph = Graph("target")
    x, cache = graph.input("x", M, WIDTH), graph.input("c", LEN, WIDTH, kind="cache", role="x")
    graph.output("kept", graph.copy(x), cache=cache)
    graph.output("out", graph.concat_rows(cache, x, name="all"))
    assert not_invariant(graph)["out"].why.startswith("all (concat_rows) puts x behind c")


def test_a_fixed_block_and_a_cache_of_another_size() -> None:
    graph = Graph("target")
    graph.output("four", graph.relu(graph.input("x", 4, WIDTH)))
    graph.output("less", graph.relu(graph.input("c", LEN + 1, WIDTH, kind="cache")))
    assert [rows.why.split(";")[0] for rows in not_invariant(graph).values()] == [
        "x (input) has 4 rows", "c (input) is a cache of LEN+1 rows"]  # fmt: skip


@pytest.mark.parametrize("kind", ["structured", "random", "sharp"])
@pytest.mark.parametrize("fused", [False, True])
def test_every_shipped_program_is_row_invariant(kind: str, fused: bool) -> None:
    graphs = tiny_graphs(kind)[0]
    assert {graph.name for graph in graphs} >= {"target", "draft_table", "draft_matmul"}
    for graph in graphs:
        judged = fuse(graph) if fused else graph
        assert not not_invariant(judged) and row_dependence(judged)


def test_a_rewrite_may_not_lose_it() -> None:
    good, *tensors = attention_graph()
    bad, *others = attention_graph()
    good.output("out", good.relu(tensors[1]))
    bad.output("out", not_causal(bad, *others))
    verify_same_rows(bad, good)
    with pytest.raises(VerifyError, match="outputs out were row-invariant before"):
        verify_same_rows(good, bad)


def test_the_host_refuses_a_verifier_that_mixes_rows() -> None:
    graph, *tensors = attention_graph()
    logits = not_causal(graph, *tensors)
    graph.output("choice", graph.argmax(logits))
    ranges = {node.role: 2.0 for node in graph.nodes}
    model = compile_graphs(NANO, [graph], ranges, tuned=False)
    with pytest.raises(NotInvariant, match=r"target cannot verify a block: its output choice .*seen \(softmax\)"):
        Session(model, "none", (0,))


def test_a_cache_has_one_role_in_all_programs() -> None:
    graphs = []
    for role in ("k", "other"):
        graph = Graph(f"program_{role}")
        cache = graph.input("cache", LEN, WIDTH, kind="cache", role=role)
        graph.output("rows", graph.input("x", M, WIDTH, role=role), cache=cache)
        graphs.append(graph)
    with pytest.raises(QuantError, match="cache cache: .*program_k.*role 'k'.*program_other.*'other'"):
        quantise(graphs, {"k": 1.0, "other": 2.0})


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Operations of every kind on whatever there is, as Capra's interface lets them pass."""
    graph, *_ = attention_graph()
    weight = graph.weight("W", np.random.default_rng(9).normal(0, 0.4, (WIDTH, WIDTH)))
    for number in range(draw(st.integers(1, 7))):
        pick = st.sampled_from([node for node in graph.nodes if node.op != "weight"])
        x, y, name = draw(pick), draw(pick), f"n{number}"
        z, causal = draw(pick.filter(lambda node: node.shape.rows == y.shape.rows)), draw(st.booleans())
        build = draw(st.sampled_from([
            lambda: graph.matmul(x, weight, name=name),
            lambda: graph.matmul(x, y, name=name),
            lambda: graph.scores(x, y, 0.3, name=name),
            lambda: graph.softmax(x, causal=causal, name=name),
            lambda: graph.matmul(graph.softmax(graph.scores(x, y, 0.3), causal=causal), z, name=name),
            lambda: graph.matmul(graph.softmax(graph.scores(x, y, 0.3), causal=causal), z, name=name),
            lambda: graph.add(x, y, name=name),
            lambda: graph.relu(x, name=name),
            lambda: graph.copy(x, name=name),
            lambda: graph.slice_rows(x, 0, 1, name=name),
            lambda: graph.slice_rows(x, LEN, M, name=name),
            lambda: graph.slice_rows(x, M - 1, 1, name=name),
        ]))  # fmt: skip
        try:
            build()
        except GraphError:
            continue
    for node in graph.nodes:
        if node.op not in ("input", "weight"):
            graph.output(f"{node.name} out", node)
    return graph


def run_rows(graph: Graph, spec, x: np.ndarray, caches: dict[str, np.ndarray], length: int) -> dict[str, np.ndarray]:
    return interpret(graph, spec, {"x": x, **caches}, length, len(x))


@settings(max_examples=100, deadline=None)
@given(graphs(), st.integers(0, 3), st.integers(2, 4), st.integers(0, 2**16))
def test_what_is_called_invariant_is(graph: Graph, length: int, m: int, seed: int) -> None:
    """Row i of the block against the one-row step at LEN + i, on the integer interpreter."""
    rng = np.random.default_rng(seed)
    verdicts = output_rows(graph)
    try:
        spec = quantise([graph], {node.role: 1.5 for node in graph.nodes})
        x = rng.integers(-127, 128, (m, WIDTH))
        caches = {f"{role}_cache": rng.integers(-127, 128, (length, WIDTH)) for role in "kv"}
        block = run_rows(graph, spec, x, caches, length)
        steps = []
        for i in range(m):
            steps.append(run_rows(graph, spec, x[i : i + 1], caches, length + i))
            caches = {f"{role}_cache": np.vstack([caches[f"{role}_cache"], steps[-1][role]]) for role in "kv"}
    except QuantError:
        return
    for output in graph.outputs:
        if not verdicts[output.name].invariant:
            continue
        name, kind = output.node.name, row_dependence(graph)[output.node.name].kind
        for i, step in enumerate(steps):
            if kind == "row":
                np.testing.assert_array_equal(block[name][i : i + 1], step[name], f"{name}, row {i}")
            elif kind == "history":
                both = min(len(block[name]), len(step[name]))
                np.testing.assert_array_equal(block[name][:both], step[name][:both], f"{name}, step {i}")
            else:
                np.testing.assert_array_equal(block[name], step[name], name)
