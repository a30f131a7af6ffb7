# SPDX-License-Identifier: Apache-2.0
"""slice_rows and its friends: random graphs around views compute what the interpreter says, tensor by tensor."""

from dataclasses import replace

import numpy as np
import pytest

import capra.place
import capra.shapes
from capra import LEN, Affine, Graph, GraphError, M, calibrate, compile_graphs, evaluate, interpret
from capra.execute import Machine
from capra.lower import _Lowering
from capra.node import Shape
from capra.place import Place
from capra.rewrite import prune
from ga2.spec import load_config

WIDTH = 16
FLOAT_ERROR = 0.40
SOURCES = ("product", "concatenation", "slice", "input", "weight")
CONSUMERS = ("left", "scores", "softmax", "attend", "argmax", "right")


def source(graph: Graph, kind: str, rows: Affine, rng: np.random.Generator, name: str):
    """A tensor (rows, WIDTH) of the given kind; weights have a constant number of rows."""

    def weight(label: str, count: int = WIDTH):
        return graph.weight(f"{name}_{label}", rng.normal(0, 0.3, (count, WIDTH)))

    if kind == "input":
        return graph.input(f"{name}_rows", rows, WIDTH)
    if kind == "weight":
        return weight("matrix", rows.imm)
    product = graph.matmul(graph.input(f"{name}_rows", rows, WIDTH), weight("w"), name=f"{name}_product")
    if kind == "product":
        return product
    if kind == "concatenation":
        cache = graph.input(f"{name}_cache", LEN, WIDTH, kind="cache", role=product.role)
        return graph.concat_rows(cache, product, name=f"{name}_whole")
    wide = graph.matmul(graph.input(f"{name}_more", rows + 3, WIDTH), weight("v"), name=f"{name}_wide")
    return graph.slice_rows(wide, 2, rows, name=f"{name}_inner")


def consume(graph: Graph, kind: str, view, rng: np.random.Generator) -> None:
    """One use of the view, stored as output."""
    other = graph.matmul(
        graph.input("other_rows", 5, WIDTH), graph.weight("other_w", rng.normal(0, 0.3, (WIDTH, WIDTH))), name="other"
    )
    if kind == "left":
        result = graph.matmul(view, graph.weight("u", rng.normal(0, 0.3, (WIDTH, 12))), name="result")
    elif kind == "scores":
        result = graph.matmul(other, view, transpose_b=True, scale=0.25, name="result")
    elif kind == "softmax":
        result = graph.softmax(view, name="result")
    elif kind == "attend":
        scores = graph.matmul(other, view, transpose_b=True, scale=0.25, name="result_scores")
        result = graph.matmul(graph.softmax(scores, name="weights"), graph.copy(view, name="values"), name="result")
    elif kind == "argmax":
        result = graph.argmax(view, name="result")
    else:
        left = graph.weight("left", rng.normal(0, 0.3, (3, view.shape.rows.imm)))
        result = graph.matmul(left, view, name="result")
    if result.shape.cols.constant:
        graph.output("result", result)
    else:
        graph.output("result", graph.argmax(result, name="winner"))


def build(source_kind: str, consumer: str, position: str, seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    graph = Graph("battery")
    rows = Affine(7) if source_kind == "weight" or consumer == "right" else Affine(6) + M
    if consumer == "right" and source_kind == "concatenation":
        rows = Affine(7)
    tensor = source(graph, source_kind, rows, rng, "src")
    total = tensor.shape.rows
    start, count = {
        "first": (0, 2), "middle": (2, 3), "last": (total - 2, 2), "whole": (0, total), "one": (total - 1, 1)
    }[position]  # fmt: skip
    if consumer == "right" and position == "whole" and not total.constant:
        start, count = 1, 4
    view = graph.slice_rows(tensor, start, count, name="view")
    consume(graph, consumer, view, rng)
    return graph


def random_inputs(graph: Graph, length: int, m: int, seed: int) -> dict:
    rng = np.random.default_rng(seed)
    needed = [node for node in prune(graph).nodes if node.op == "input"]
    return {node.name: rng.normal(0, 1, node.shape.at(length, m)) for node in needed}


def check(graph: Graph, config: str, length: int, m: int, seed: int) -> None:
    graph_inputs = random_inputs(graph, length, m, seed)
    trace = evaluate(prune(graph), graph_inputs, length, m)
    model = compile_graphs(load_config(config), [graph], calibrate(graph, [trace]))
    program, spec = model.programs["battery"], model.spec
    inputs = {name: spec.quantise(program.graph.node(name).role, values) for name, values in graph_inputs.items()}
    execution = Machine(model).run("battery", inputs, length, m)
    expected = interpret(program.graph, spec, inputs, length, m)
    for name, found in execution.tensors.items():
        assert np.array_equal(found, expected[name]), name
    result = program.graph.node("result")
    stored = execution.outputs["result"]
    if result.op == "argmax" or "winner" in expected:
        assert np.array_equal(stored, expected[program.graph.outputs[0].node.name])
        return
    assert np.array_equal(stored, expected["result"])
    scale = 1 / 256 if result.op == "softmax" else spec.scale(result.role)
    error = np.linalg.norm(stored * scale - trace["result"]) / max(np.linalg.norm(trace["result"]), 1e-9)
    assert error < FLOAT_ERROR, f"relative error {error:.3f}"


@pytest.mark.parametrize("position", ["first", "middle", "last", "whole", "one"])
@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize("source_kind", SOURCES)
def test_battery(source_kind: str, consumer: str, position: str) -> None:
    seed = hash((SOURCES.index(source_kind), CONSUMERS.index(consumer))) % 1000
    for config, length, m in (("nano", 3, 1), (("wide", 0, 3), ("base", 9, 4))[seed % 2]):
        check(build(source_kind, consumer, position, seed), config, length, m, seed)


@pytest.mark.parametrize("kind", ["input", "concatenation"])
@pytest.mark.parametrize("use", ["left", "argmax", "scores"])
def test_the_last_row_of_cache_and_block(kind: str, use: str) -> None:
    """It starts at LEN + M - 1: its base lies a row before its buffer."""
    rng = np.random.default_rng(7)
    graph = Graph("battery")
    tensor = source(graph, kind, LEN + M if kind == "input" else M, rng, "src")
    consume(graph, use, graph.slice_rows(tensor, LEN + M - 1, 1, name="view"), rng)
    for length, m in ((0, 1), (9, 4)):
        check(graph, "nano", length, m, 7)


def _tensor(graph: Graph, rows: int = 6):
    return graph.matmul(graph.input("rows", rows, WIDTH), graph.weight("w", np.eye(WIDTH)), name="p")


@pytest.mark.parametrize(("start", "count"), [(0, 7), (5, 2), (6, 1), (-1, 2), (0, 0), (3, 0), (LEN, 2), (0, LEN)])
def test_slices_outside_the_tensor_or_empty_are_refused(start, count) -> None:
    graph = Graph("g")
    with pytest.raises(GraphError, match="s: slice_rows of p"):
        graph.slice_rows(_tensor(graph), start, count, name="s")


def test_uses_that_need_a_copy_are_refused_and_copy_allows_them() -> None:
    graph = Graph("g")
    tensor = _tensor(graph)
    view = graph.slice_rows(tensor, 1, 2, name="s")
    with pytest.raises(GraphError, match=r"c: concat_rows of s.*copy\(\)"):
        graph.concat_rows(view, tensor, name="c")
    with pytest.raises(GraphError, match=r"r: relu of s.*copy\(\)"):
        graph.relu(view, name="r")
    graph.relu(graph.copy(view), name="r")


BROKEN = {
    "the view starts at the beginning of its source": "start",
    "the offset is counted in words, not rows": "words",
    "the shape keeps the source's row count": "shape",
    "the interpreter takes one row too many": "interpret",
    "the float evaluation takes one row too few": "float",
    "the scale is not tied to the source's": "scale",
    "a range past the end is accepted": "range",
    "an empty slice is accepted": "empty",
    "a slice may feed a concatenation": "concat",
    "the source is not loaded before its view is used": "order",
}


def _stretched(graph: Graph, extra: int) -> Graph:
    """The graph with `extra` more rows in every slice, unchecked."""
    made = {}
    for node in graph.nodes:
        rows = node.shape.rows + (extra if node.op == "slice_rows" else 0)
        inputs = tuple(made[operand] for operand in node.inputs)
        made[node] = replace(node, inputs=inputs, shape=Shape(rows, node.shape.cols))
    return Graph(graph.name, list(made.values()), graph.weights)


def _break(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """Install one broken compiler."""
    original_place = capra.place.place

    def moved(graph, config):
        placement = original_place(graph, config)
        places = dict(placement.places)
        for node in graph.nodes:
            if node.op == "slice_rows":
                place = places[node.name]
                row = place.row - node.start if fault == "start" else Affine(place.row.imm // place.pitch)
                places[node.name] = Place(place.buffer, row, place.pitch)
        return capra.place.Placement(placement.buffers, places)

    if fault in ("start", "words"):
        monkeypatch.setattr("capra.plan.place", moved)
        monkeypatch.setattr("capra.verify.verify_placement", lambda *_: None)
    elif fault == "shape":
        monkeypatch.setitem(capra.shapes._RULES, "slice_rows", lambda node: node.inputs[0].shape)
    elif fault in ("range", "empty"):
        monkeypatch.setitem(capra.shapes._RULES, "slice_rows", lambda n: Shape(n.shape.rows, n.inputs[0].shape.cols))
    elif fault == "concat":
        monkeypatch.setitem(capra.shapes._RULES, "concat_rows", lambda node: node.inputs[0].shape)
    elif fault in ("interpret", "float"):
        name, extra = ("interpret", 1) if fault == "interpret" else ("evaluate", -1)
        original = globals()[name]
        monkeypatch.setitem(globals(), name, lambda graph, *rest: original(_stretched(graph, extra), *rest))
    elif fault == "scale":
        original_append = Graph._append

        def untied(self, name, op, inputs, role, **rest):
            return original_append(self, name, op, inputs, None if op == "slice_rows" else role, **rest)

        monkeypatch.setattr(Graph, "_append", untied)
    else:
        original_made = _Lowering.made

        def unaware(self, *nodes):
            return original_made(self, *(node for node in nodes if node.op not in ("slice_rows", "input")))

        monkeypatch.setattr(_Lowering, "made", unaware)


def _suite() -> None:
    """What must hold of a compiler: a few of the battery's graphs, and the refusals."""
    for consumer, position in (("left", "middle"), ("left", "last"), ("softmax", "one"), ("scores", "middle")):
        check(build("product", consumer, position, 5), "nano", 3, 2, 5)
        check(build("input", consumer, position, 6), "nano", 3, 2, 6)
    for start, count in ((0, 7), (3, 0)):
        graph = Graph("g")
        with pytest.raises(GraphError):
            graph.slice_rows(_tensor(graph), start, count)
    graph = Graph("g")
    tensor = _tensor(graph)
    with pytest.raises(GraphError):
        graph.concat_rows(graph.slice_rows(tensor, 0, 2), tensor)


def test_the_suite_passes_on_the_real_compiler() -> None:
    _suite()


@pytest.mark.parametrize("what", BROKEN)
def test_the_suite_catches_a_compiler_in_which(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _break(monkeypatch, BROKEN[what])
    with pytest.raises((Exception, pytest.fail.Exception)):
        _suite()
