# SPDX-License-Identifier: Apache-2.0
"""The meaning of a graph in floats and in integers: each operation beside numpy, and inputs that do not fit."""

from collections.abc import Callable

import numpy as np
import pytest

from capra import (
    LEN,
    Graph,
    GraphError,
    M,
    calibrate,
    compile_graphs,
    evaluate,
    fuse,
    interpret,
    quantise,
    target_graph,
)
from capra.execute import Machine
from capra.library import block_graph
from ga2.spec import load_config

WIDTH, HIDDEN, VOCABULARY = 6, 10, 7
SHAPES = {"E": (VOCABULARY, WIDTH), "W1": (WIDTH, HIDDEN), "W2": (HIDDEN, WIDTH), "Wout": (WIDTH, VOCABULARY)}
SHAPES |= {name: (WIDTH, WIDTH) for name in ("Wq", "Wk", "Wv", "Wo")}


def weights(seed: int = 0) -> dict:
    rng = np.random.default_rng(seed)
    return {name: rng.normal(0, 0.7, shape) for name, shape in SHAPES.items()}


def caches(length: int) -> dict:
    rng = np.random.default_rng(length)
    return {name: rng.normal(0, 1, (length, WIDTH)) for name in ("k_cache", "v_cache")}


def softmax(scores: np.ndarray) -> np.ndarray:
    """Of each row, minus infinity where nothing is seen."""
    shares = np.exp(scores)
    return shares / shares.sum(axis=1, keepdims=True)


def transformer(w: dict, ids: list[int], past: dict) -> dict:
    """The target by the book: attention over cache and block, a residual, a hidden layer with relu, a residual."""
    x = w["E"][ids]
    keys, values = (np.vstack([past[f"{name}_cache"], x @ w[f"W{name}"]]) for name in "kv")
    future = np.arange(len(keys)) > len(keys) - len(ids) + np.arange(len(ids))[:, np.newaxis]
    scores = np.where(future, -np.inf, (x @ w["Wq"]) @ keys.T / np.sqrt(WIDTH))
    attention = softmax(scores) @ values
    h = x + attention @ w["Wo"]
    logits = (h + np.maximum(h @ w["W1"], 0) @ w["W2"]) @ w["Wout"]
    return {"attention": attention, "logits": logits, "choice": logits.argmax(axis=1)[:, np.newaxis],
            "k": x @ w["Wk"], "v": x @ w["Wv"]}  # fmt: skip


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("rows", [None, 3])
@pytest.mark.parametrize("length", [0, 4])
def test_the_target_is_the_transformer_of_the_book(rows: int | None, length: int, fused: bool) -> None:
    """Whether its block is M rows or a fixed number, attended row by row, before fusion and after."""
    w, ids, past = weights(), [5, 0, 5], caches(length)
    graph = target_graph(w, rows)
    found = evaluate(fuse(graph) if fused else graph, {"ids": np.array(ids)[:, np.newaxis], **past}, length, 3)
    for output in graph.outputs:
        np.testing.assert_allclose(found[output.node.name], transformer(w, ids, past)[output.name], atol=1e-12)
    assert {output.name for output in graph.outputs} == set(transformer(w, ids, past))
    assert {output.name: output.cache for output in graph.outputs if output.cache} == {"k": "k_cache", "v": "v_cache"}


@pytest.mark.parametrize("guesses", [1, 3])
@pytest.mark.parametrize("form", ["matmul", "table"])
def test_a_block_is_its_draft_step_by_step_and_the_target_on_all_of_it(form: str, guesses: int) -> None:
    w, past = weights(1), caches(2)
    rng = np.random.default_rng(2)
    array = rng.normal(0, 1, (WIDTH if form == "matmul" else VOCABULARY, VOCABULARY))
    table = w["E"] @ array if form == "matmul" else array
    graph = block_graph(w, form, array, guesses)
    found = evaluate(graph, {"last": np.array([[4]]), **past}, 2, 1)
    ids = [4]
    for _ in range(guesses):
        ids.append(int(table[ids[-1]].argmax()))
    assert found["guesses"].ravel().tolist() == ids[1:]
    expected = transformer(w, ids, past)
    for output in graph.outputs:
        if output.name != "guesses":
            np.testing.assert_allclose(found[output.node.name], expected[output.name], atol=1e-12)
    assert [node.name for node in graph.node("x").inputs] == [f"x_{row}" for row in range(guesses + 1)]
    assert graph.name == f"{form}_block_{guesses}" and "attention" not in [output.name for output in graph.outputs]


def everything() -> Graph:
    """Every operation that attention does not need, or uses in another way."""
    graph = Graph("all")
    x, y = graph.input("x", M + 2, 4), graph.input("y", M + 2, 4)
    total = graph.add(x, y, name="total")
    graph.output("clipped", graph.relu(total, name="clipped"))
    graph.output("copied", graph.copy(y, name="copied"))
    view = graph.slice_rows(graph.copy(total, name="base"), M, 2, name="view")
    graph.output("seen", graph.copy(view, name="seen"))
    graph.output("scaled", graph.scores(x, graph.weight("w", np.arange(12.0).reshape(3, 4) - 5), 0.25, name="scaled"))
    graph.output("shares", graph.softmax(x, name="shares"))
    graph.output("first", graph.argmax(y, name="first"))
    return graph


def test_every_operation_is_the_one_of_numpy() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(0, 1, (2, 5, 4))
    y[0, 1] = y[0, 3] = y.max() + 1  # of equals, the first
    found = evaluate(everything(), {"x": x, "y": y}, 0, 3)
    expected = {
        "total": x + y, "clipped": np.where(x + y > 0, x + y, 0), "copied": y, "seen": (x + y)[3:5],
        "scaled": 0.25 * x @ (np.arange(12.0).reshape(3, 4) - 5).T, "shares": softmax(x),
        "first": np.argmax(y, axis=1).reshape(5, 1),
    }  # fmt: skip
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, err_msg=name)


def test_integers_are_close_to_floats_and_are_those_of_the_core() -> None:
    """Within a step or two of each tensor's scale; operands of a sum may have very different scales. A relu of what is
    below zero is zero."""
    rng = np.random.default_rng(4)
    graph = everything()
    inputs = {"x": rng.normal(0, 0.3, (5, 4)), "y": rng.normal(0, 1, (5, 4))}
    exact = evaluate(graph, inputs, 0, 3)
    model = compile_graphs(load_config("nano"), [graph], calibrate(graph, [exact]))
    fused, spec = model.programs["all"].graph, model.spec
    data = {name: spec.quantise(name, values) for name, values in inputs.items()}
    found = interpret(fused, spec, data, 0, 3)
    stored = Machine(model).run("all", data, 0, 3).outputs
    assert set(stored) == {"clipped", "copied", "seen", "scaled", "shares", "first"}
    assert all(np.array_equal(values, found[name]) for name, values in stored.items())
    below = exact["total"] < -2 * spec.scale("total")
    assert below.any() and not found["clipped"][below].any()
    for name, steps in {"total": 1.6, "clipped": 2.6, "copied": 1.1, "seen": 2.6, "scaled": 3.0}.items():
        assert np.abs(found[name] - exact[name] / spec.scale(fused.node(name).role)).max() <= steps, name
    assert np.abs(found["shares"] - 256 * exact["shares"]).max() <= 2


def test_scores_beyond_what_an_exponential_holds_have_probabilities() -> None:
    """Only differences of scores count."""
    graph = Graph("g")
    graph.output("p", graph.softmax(graph.input("x", M, 3), name="p"))
    scores = np.array([[1.0, 2.0, 0.5], [-1.0, -1.0, -1.0]])
    with np.errstate(all="raise"):
        moved = evaluate(graph, {"x": scores + 5000}, 0, 2)["p"]
    np.testing.assert_allclose(moved, softmax(scores))


def cached() -> Graph:
    graph = Graph("cached")
    whole = graph.concat_rows(graph.input("c", LEN, 4, kind="cache"), graph.input("x", M, 4, role="c"), name="whole")
    graph.output("o", graph.copy(whole, name="o"))
    return graph


RUNS: dict[str, Callable[..., object]] = {
    "floats": lambda inputs, *at: evaluate(cached(), inputs, *at),
    "integers": lambda inputs, *at: interpret(cached(), quantise([cached()], {"c": 1.0}), inputs, *at),
}


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"c": (3, 4)}, r"x: input of shape None, expected \(2, 4\) at LEN=3, M=2"),
        ({"x": (2, 4)}, r"c: input of shape None, expected \(3, 4\) at LEN=3, M=2"),
        ({"c": (2, 4), "x": (2, 4)}, r"c: input of shape \(2, 4\), expected \(3, 4\) at LEN=3, M=2"),
        ({"c": (3, 4), "x": (2, 5)}, r"x: input of shape \(2, 5\), expected \(2, 4\) at LEN=3, M=2"),
        ({"c": (3, 4), "x": (8,)}, r"x: input of shape \(8,\), expected \(2, 4\) at LEN=3, M=2"),
    ],
)
def test_an_input_that_is_missing_or_of_another_shape_is_told(run: str, given: dict, says: str) -> None:
    with pytest.raises(GraphError, match=says):
        RUNS[run]({name: np.zeros(shape, np.int8) for name, shape in given.items()}, 3, 2)


def test_a_plain_step_on_an_empty_cache_is_what_is_run_if_nothing_else_is_said() -> None:
    inputs = {"c": np.zeros((0, 4), np.int8), "x": np.array([[1, -2, 3, 127]], np.int8)}
    for run in RUNS.values():
        assert np.array_equal(run(inputs)["whole"], inputs["x"])
    model = compile_graphs(load_config("nano"), [cached()], {"c": 1.0})
    assert np.array_equal(Machine(model).run("cached", inputs).outputs["o"], inputs["x"])


def test_a_program_that_faults_is_no_result() -> None:
    config = load_config("nano")
    machine = Machine(compile_graphs(config, [cached()], {"c": 1.0}))
    inputs = {"c": np.zeros((config.max_len, 4), np.int8), "x": np.zeros((1, 4), np.int8)}
    with pytest.raises(RuntimeError, match=r"program cached faulted: .*len_m"):
        machine.run("cached", inputs, config.max_len, 1)


def test_a_range_is_the_largest_magnitude_of_its_role_in_any_trace() -> None:
    graph = Graph("g")
    parts = [graph.input(name, M, 2, role=role) for name, role in (("a", "r"), ("b", "r"), ("c", "s"), ("d", "t"))]
    empty = np.zeros((0, 2))
    traces = [
        {"a": np.array([[1.0, -3.0]]), "b": np.array([[2.0, 0.0]]), "c": np.array([[0.5, 0.25]]), "d": empty},
        {"a": empty, "b": np.array([[-2.0, 2.5]]), "c": np.array([[-0.75, 0.0]]), "unknown": np.array([[9.0]])},
    ]
    assert calibrate(graph, traces) == {"r": 3.0, "s": 0.75} and len(parts) == 4
    assert calibrate(graph, []) == {}
