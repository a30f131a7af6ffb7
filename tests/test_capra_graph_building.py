# SPDX-License-Identifier: Apache-2.0
"""Building graphs: names, roles and readers of nodes, what is refused at once, and the graphs of the library."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from capra import (
    LEN,
    Affine,
    FusionOptions,
    Graph,
    GraphError,
    M,
    Node,
    compile_model,
    draft_graph,
    fuse,
    model_graphs,
    target_graph,
)
from capra.fuse import REWRITES, rewritten
from capra.library import block_name, block_of_name
from ga2.spec import load_config


def base() -> Graph:
    graph = Graph("g")
    graph.input("x", M, 4, role="r")
    graph.input("y", M, 4)
    graph.input("ids", M, 1, kind="ids")
    graph.input("cache", LEN, 4, kind="cache", role="r")
    graph.weight("w", np.arange(12).reshape(4, 3))
    graph.weight("table", np.eye(4), role="t")
    return graph


# What makes a node, its operation, its role unless one is named (None: its own name), and whether one may be named.
MADE: dict[str, tuple[Callable[..., Node], str, str | None, bool]] = {
    "gather": (lambda g, **k: g.gather(g.node("table"), g.node("ids"), **k), "gather", "t", False),
    "matmul": (lambda g, **k: g.matmul(g.node("x"), g.node("w"), **k), "matmul", None, True),
    "scores": (lambda g, **k: g.scores(g.node("x"), g.node("y"), **k), "matmul", None, True),
    "softmax": (lambda g, **k: g.softmax(g.node("x"), **k), "softmax", None, False),
    "add": (lambda g, **k: g.add(g.node("x"), g.node("y"), **k), "add", None, True),
    "relu": (lambda g, **k: g.relu(g.node("x"), **k), "relu", None, True),
    "copy": (lambda g, **k: g.copy(g.node("x"), **k), "copy", "r", False),
    "concat_rows": (lambda g, **k: g.concat_rows(g.node("cache"), g.node("x"), **k), "concat_rows", "r", False),
    "slice_rows": (lambda g, **k: g.slice_rows(g.node("x"), M - 1, 1, **k), "slice_rows", "r", False),
    "argmax": (lambda g, **k: g.argmax(g.node("x"), **k), "argmax", None, False),
}


@pytest.mark.parametrize("what", MADE)
def test_a_node_has_the_name_it_is_given_or_one_by_operation_and_place(what: str) -> None:
    make, op, role, named = MADE[what]
    graph = base()
    made, other = make(graph), make(graph, name="mine")
    assert (made.name, made.op, other.name, other.op) == (f"{op}_6", op, "mine", op)
    assert (made.role, other.role) == ((role, role) if role else (made.name, "mine"))
    assert graph.nodes[-2:] == [made, other] and graph.node("mine") is other
    if named:
        assert make(graph, name="third", role="other").role == "other"
    for operand in made.inputs:
        assert [reader.name for reader in graph.consumers(operand)][:2] == [made.name, "mine"]
    assert graph.consumers(other) == []
    with pytest.raises(GraphError, match="mine: the name is taken in graph g"):
        make(graph, name="mine")


@pytest.mark.parametrize("what", ["matmul", "scores", "softmax"])
def test_a_node_is_plain_unless_something_else_is_said(what: str) -> None:
    made = MADE[what][0](base())
    assert (made.transpose_b, made.scale, made.causal) == (what == "scores", 1.0, False)
    assert not (made.residual or made.relu or made.norm) and made.start == Affine()


def test_sources_have_the_size_kind_and_role_that_they_are_given() -> None:
    graph = base()
    assert [(n.kind, n.role, str(n.shape)) for n in graph.nodes] == [
        ("rows", "r", "(M, 4)"), ("rows", "y", "(M, 4)"), ("ids", "ids", "(M, 1)"), ("cache", "r", "(LEN, 4)"),
        ("", "w", "(4, 3)"), ("", "t", "(4, 4)"),
    ]  # fmt: skip
    assert set(graph.weights) == {"w", "table"} and graph.weights["w"].dtype == np.float64
    assert graph.weights["w"].tolist() == np.arange(12).reshape(4, 3).tolist()
    with pytest.raises(KeyError, match="graph g has no node nobody"):
        graph.node("nobody")


def test_what_is_stored_is_an_output() -> None:
    graph = base()
    made = graph.relu(graph.node("x"), name="a", role="r")
    graph.output("out", made)
    graph.output("kept", made, cache=graph.node("cache"))
    stored = [(each.name, each.node, each.cache) for each in graph.outputs]
    assert stored == [("out", made, None), ("kept", made, "cache")]
    assert [graph.is_output(node) for node in graph.nodes] == [False] * 6 + [True]


@pytest.mark.parametrize(
    ("array", "shape"),
    [
        (np.ones(4), r"\(4,\)"),
        (np.ones((2, 2, 2)), r"\(2, 2, 2\)"),
        (np.ones((0, 4)), r"\(0, 4\)"),
        (np.ones((4, 0)), r"\(4, 0\)"),
        (np.array([[1.0, np.inf]]), r"\(1, 2\)"),
        (np.array([[np.nan], [1.0]]), r"\(2, 1\)"),
    ],
)
def test_a_weight_is_a_finite_matrix(array: Any, shape: str) -> None:
    graph = Graph("g")
    with pytest.raises(GraphError, match=f"w: a weight must be a finite matrix, got shape {shape}"):
        graph.weight("w", array)
    assert not graph.nodes and not graph.weights


REFUSED: dict[str, Callable[[Graph], object]] = {
    "z: input kind 'column' is none of ids, rows, cache": lambda g: g.input("z", M, 4, kind="column"),  # type: ignore[arg-type]  # what somebody may write
    "output out: the name is taken": lambda g: [g.output("out", g.node("x")), g.output("out", g.node("y"))],
    "output out: x is of another graph than g": lambda g: g.output("out", base().node("x")),
    "output out: cache is of another graph than g": lambda g: g.output("out", g.node("x"), base().node("cache")),
    "output out: x: input() (M, 4) cannot be appended to y: input() (M, 4): that needs a cache of equal width":
        lambda g: g.output("out", g.node("x"), g.node("y")),
    "output out: x: input() (M, 4) cannot be appended to narrow: input() (LEN, 3): that needs a cache of equal width":
        lambda g: g.output("out", g.node("x"), g.input("narrow", LEN, 3, kind="cache", role="r")),
    "output out: y has role 'y', cache 'r': a cache has one scale; expected one role for both":
        lambda g: g.output("out", g.node("y"), g.node("cache")),
    "s: add of x, which is of another graph than g": lambda g: g.add(g.node("x"), base().node("x"), name="s"),
    "concat_rows_6: concat_rows of : expected at least one part": lambda g: g.concat_rows(),
}  # fmt: skip


@pytest.mark.parametrize("says", REFUSED)
def test_what_is_refused_leaves_the_graph_as_it_was(says: str) -> None:
    graph = base()
    with pytest.raises(GraphError) as caught:
        REFUSED[says](graph)
    assert str(caught.value) == says
    assert len([output for output in graph.outputs if output.name == "out"]) == ("the name is taken" in says)


def test_every_rewrite_that_has_an_option_is_on_unless_it_is_switched_off() -> None:
    graph = target_graph({name: np.eye(4) for name in ("E", "Wq", "Wk", "Wv", "Wo", "W1", "W2", "Wout")}, rows=2)
    graph.output("shares", graph.softmax(graph.node("logits"), name="shares"))
    graph.relu(graph.node("q"), name="dead")
    counts = {
        "causal": lambda g: sum(node.op == "concat_rows" and node.name == "attention" for node in g.nodes),
        "residual": lambda g: sum(node.op == "add" for node in g.nodes),
        "relu": lambda g: sum(node.op == "relu" and node.name != "dead" for node in g.nodes),
        "normalise": lambda g: sum(node.name == "shares" and not node.norm for node in g.nodes),
        "prune": lambda g: sum(node.name == "dead" for node in g.nodes),
    }
    assert set(counts) == set(REWRITES)
    assert not any(count(fuse(graph)) for count in counts.values()) and all(count(graph) for count in counts.values())
    for name, count in counts.items():
        assert not count(rewritten(graph, name, FusionOptions()))
        if name in ("causal", "residual", "relu"):
            off = FusionOptions(**{name: False})
            assert rewritten(graph, name, off) is graph
            left = {other for other in counts if counts[other](fuse(graph, off))}
            assert left == {name}


@pytest.mark.parametrize("form", ["matmul", "table"])
@pytest.mark.parametrize("guesses", [1, 9, 10, 99])
def test_the_name_of_a_blocks_program_says_what_it_is(form: str, guesses: int) -> None:
    assert block_of_name(block_name(form, guesses)) == (form, guesses)


@pytest.mark.parametrize(
    "name", ["target", "matmul_block_", "matmul_block_0", "matmul_block_03", "matmul_block_100", "other_block_3",
             "table_chain_3", "my_table_block_3", "table_block_3 ", "table_block_٣"]
)  # fmt: skip
def test_other_names_are_of_no_blocks_program(name: str) -> None:
    assert block_of_name(name) is None


def weights() -> dict:
    rng = np.random.default_rng(0)
    shapes = dict.fromkeys(("Wq", "Wk", "Wv", "Wo"), (3, 3))
    shapes |= {"E": (5, 3), "W1": (3, 6), "W2": (6, 3), "Wout": (3, 5)}
    return {name: rng.normal(0, 1, shape) for name, shape in shapes.items()}


def test_a_model_has_its_target_drafts_chains_and_blocks_in_this_order() -> None:
    w = weights()
    drafts = {"table": np.eye(5), "matmul": np.full((3, 5), 2.0)}
    ranges = {"x": 1.0}
    plain, limits = model_graphs(w, ranges)
    assert [graph.name for graph in plain] == ["target"] and limits == ranges
    graphs, limits = model_graphs(w, ranges, drafts, 2, {"matmul": (1, 4), "table": (2,)})
    assert [graph.name for graph in graphs] == [
        "target", "draft_table", "table_chain_2", "draft_matmul", "matmul_chain_2", "matmul_block_1", "matmul_block_4",
        "table_block_2",
    ]  # fmt: skip
    assert limits == {"x": 1.0, "draft_logits": pytest.approx(np.abs(w["E"] @ drafts["matmul"]).max())}
    assert ranges == {"x": 1.0}
    without, limits = model_graphs(w, {"draft_logits": 7.0}, drafts)
    assert [graph.name for graph in without] == ["target", "draft_table", "draft_matmul"]
    assert limits == {"draft_logits": 7.0}
    assert model_graphs(w, ranges, {"table": np.eye(5)})[1] == ranges


def test_a_model_has_chains_and_blocks_only_if_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {}

    def compiled(config: object, graphs: list[Graph], limits: dict, **options: object) -> None:
        asked["programs"] = [graph.name for graph in graphs]
        asked.update(options)

    monkeypatch.setattr("capra.compile.compile_graphs", compiled)
    compile_model(load_config("nano"), weights(), {}, {"table": np.eye(5)})
    assert asked == {"programs": ["target", "draft_table"], "image_address": 0}
    compile_model(load_config("nano"), weights(), {}, {"table": np.eye(5)}, 2, 64, {"table": (3,)})
    assert asked == {
        "programs": ["target", "draft_table", "table_chain_2", "table_block_3"], "image_address": 64
    }  # fmt: skip


def test_drafts_that_do_not_exist_are_refused_by_name() -> None:
    with pytest.raises(GraphError, match="draft 'magic' is neither matmul nor table"):
        model_graphs(weights(), {}, {"magic": np.eye(5)})
    with pytest.raises(GraphError, match="blocks of draft 'matmul', which is not among the drafts"):
        model_graphs(weights(), {}, {"table": np.eye(5)}, 0, {"matmul": (2,)})


def test_a_drafts_outputs_are_its_choices() -> None:
    embedding, table = weights()["E"], np.eye(5)
    alone, chain = draft_graph(embedding, "table", table), draft_graph(embedding, "table", table, 3)
    assert [output.name for output in alone.outputs] == ["choice"] and alone.node("guess").shape.rows == M
    assert [output.name for output in chain.outputs] == ["choice_0", "choice_1", "choice_2"]
    assert [output.node.name for output in chain.outputs] == ["guess_0", "guess_1", "guess_2"]
    assert [chain.node(f"row_{step}").inputs[1].name for step in range(3)] == ["ids", "guess_0", "guess_1"]
    assert draft_graph(embedding, "table", table, name="mine").name == "mine"
    matmul = draft_graph(embedding, "matmul", np.ones((3, 5)))
    assert (matmul.node("row").inputs[0].name, matmul.node("row").role) == ("E", "x")
    assert (matmul.node("guess_logits").inputs[1].name, matmul.node("guess_logits").role) == ("Wd", "draft_logits")
    assert (alone.node("row").inputs[0].name, alone.node("row").role) == ("L", "draft_table")
