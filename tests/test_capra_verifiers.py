# SPDX-License-Identifier: Apache-2.0
"""Every check between passes, shown to fail: the result of a pass is spoilt in one place, and its verifier must say so.

Each table is of one pass: what the verifier says, and how its result is spoilt.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from capra import LEN, Affine, Graph, M, target_graph
from capra.graph import Output
from capra.lower import Lowered
from capra.node import Node, Shape
from capra.ops import ExtRef, Op
from capra.passes import PASSES, run_passes
from capra.place import Buffer, Place, Placement
from capra.quantise import ColumnWeight, QuantSpec
from capra.schedule import Timeline
from capra.tune import PATIENCE
from capra.verify import VerifyError, verify_streams
from capra.work import Choice, Unit, Work
from ga2.isa.encoding import Dim, Instruction
from ga2.spec import load_config

NANO = load_config("nano")
ROLES = ("x", "q", "k", "v", "scores", "attention", "projected", "hidden", "expanded", "h", "f", "y", "logits")
RANGES = dict.fromkeys(ROLES, 2.0)


def tiny_weights() -> dict:
    rng = np.random.default_rng(3)
    shapes = {"E": (16, 16), "W1": (16, 32), "W2": (32, 16), "Wout": (16, 16)}
    shapes |= {name: (16, 16) for name in ("Wq", "Wk", "Wv", "Wo")}
    return {name: rng.normal(0, 0.3, shape) for name, shape in shapes.items()}


def subject(rows: int | None) -> Graph:
    """The target, which also stores its probabilities as a second program's softmax would be, and a dead node."""
    graph = target_graph(tiny_weights(), rows)
    graph.relu(graph.node("q"), name="dead")
    graph.output("shown", graph.softmax(graph.node("logits"), name="shown"))
    return graph


@lru_cache
def stages(rows: int | None = None) -> Mapping[str, tuple[Work, Work]]:
    """Before and after every pass. rows: a fixed block, attended row by row; None for M and a causal block."""
    before = Work(NANO, RANGES, (Unit(subject(rows)),))
    found = {}
    for each, after in run_passes(before):
        found[each.name] = before, after
        before = after
    return found


def _verifier(name: str) -> Callable[[Work, Work], None]:
    return next(each.verify for each in PASSES if each.name == name)


def assert_caught(name: str, says: str, spoil: Callable[[Work], Work], rows: int | None = None) -> None:
    """The verifier of the pass accepts its result, and refuses the spoilt one with these words."""
    before, after = stages(rows)[name]
    _verifier(name)(before, after)
    with pytest.raises(VerifyError) as caught:
        _verifier(name)(before, spoil(after))
    assert says in str(caught.value), caught.value


def unit(**change: Callable[[Unit], Any]) -> Callable[[Work], Work]:
    """A work whose program has other parts, each made of the program as it was."""

    def spoil(work: Work) -> Work:
        [one] = work.units
        return replace(work, units=(replace(one, **{name: make(one) for name, make in change.items()}),))

    return spoil


def without_verify(nodes: list[Node], graph: Graph) -> Graph:
    """A graph of nodes as they are."""
    by_name = {node.name: node for node in nodes}
    outputs = [Output(each.name, by_name.get(each.node.name, each.node), each.cache) for each in graph.outputs]
    return Graph(graph.name, nodes, graph.weights, outputs)


def changed(name: str, **attributes: Any) -> Callable[[Work], Work]:
    """The node `name` with other attributes; its readers read the changed one. A callable is asked for the value."""

    def graph(one: Unit) -> Graph:
        made: dict[Node, Node] = {}
        for node in one.graph.nodes:
            new = {key: value(one.graph) if callable(value) else value for key, value in attributes.items()}
            inputs = new.pop("inputs", node.inputs) if node.name == name else node.inputs
            inputs = tuple(made.get(operand, operand) for operand in inputs)
            made[node] = replace(node, inputs=inputs, **(new if node.name == name else {}))
        return without_verify(list(made.values()), one.graph)

    return unit(graph=graph)


def nodes(change: Callable[[Graph], list[Node]]) -> Callable[[Work], Work]:
    return unit(graph=lambda one: without_verify(change(one.graph), one.graph))


def outputs(change: Callable[[Graph], list[Output]]) -> Callable[[Work], Work]:
    return unit(graph=lambda one: Graph(one.graph.name, one.graph.nodes, one.graph.weights, change(one.graph)))


def swapped(graph: Graph, one: str, two: str) -> list[Node]:
    places = {one: graph.node(two), two: graph.node(one)}
    return [places.get(node.name, node) for node in graph.nodes]


GRAPHS: dict[str, Callable[[Work], Work]] = {
    "x comes too late": nodes(lambda g: swapped(g, "x", "q")),
    "the name is taken": nodes(lambda g: [*g.nodes, g.node("x")]),
    "its operands give (M, 16)": changed("q", shape=Shape(M, Affine(8))),
    "has role mine, k_cache has k": changed("keys", role="mine"),
    "has no numbers": unit(graph=lambda u: Graph("target", u.graph.nodes, {}, u.graph.outputs)),
    "its numbers have another shape": unit(graph=lambda u: Graph(
        "target", u.graph.nodes, {**u.graph.weights, "Wq": np.ones((16, 8))}, u.graph.outputs)),
    "causal says nothing of a matmul": changed("q", causal=True),
    "norm says nothing of a matmul": changed("q", norm=True),
    "relu says nothing of a softmax": changed("probabilities", relu=True),
    "residual says nothing of a softmax": changed("probabilities", residual=True),
    "two outputs have one name": outputs(lambda g: [*g.outputs, g.outputs[0]]),
    "is not in the graph": outputs(lambda g: [Output("k", replace(g.node("k")))]),
    "the graph has no cache nowhere": outputs(lambda g: [Output("k", g.node("k"), "nowhere")]),
    "not in the scale of v_cache": outputs(lambda g: [Output("k", g.node("k"), "v_cache")]),
}  # fmt: skip


@pytest.mark.parametrize("says", GRAPHS)
def test_graph(says: str) -> None:
    assert_caught("graph", says, GRAPHS[says])


PRUNED: dict[str, Callable[[Work], Work]] = {
    "dead: relu(q) (M, 16): no output needs it": lambda _: stages()["graph"][1],
    "graph target: stores [": outputs(lambda g: [*g.outputs[:1], *g.outputs[2:]]),
    "other: input() (M, 1): the graph before had no such source": lambda work: _node("ids", name="other")(work),
}


@pytest.mark.parametrize("says", PRUNED)
def test_prune(says: str) -> None:
    assert_caught("prune", says, PRUNED[says])


def test_shapes() -> None:
    assert_caught("shapes", "its operands give", changed("k", shape=Shape(M, Affine(12))))


def _former(change: Callable[[Node, Mapping[Node, Node]], Node]) -> Callable[[Work], Work]:
    """Before the pass `causal`, every node changed."""

    def spoil(work: Work) -> Work:
        graph = work.units[0].graph
        made: dict[Node, Node] = {}
        for node in graph.nodes:
            made[node] = change(replace(node, inputs=tuple(made[operand] for operand in node.inputs)), made)
        stored = [Output(each.name, made[each.node], each.cache) for each in graph.outputs]
        return replace(work, units=(Unit(Graph(graph.name, list(made.values()), graph.weights, stored)),))

    return spoil


def _node(which: str, /, **attributes: Any) -> Callable[[Work], Work]:
    return _former(lambda node, _: replace(node, **attributes) if node.name == which else node)


def _other_source(name: str, source: str) -> Callable[[Work], Work]:
    def change(node: Node, made: Mapping[Node, Node]) -> Node:
        if node.name != name:
            return node
        return replace(node, inputs=(next(new for new in made.values() if new.name == source),))

    return _former(change)


CAUSAL: dict[str, Callable[[Work], Work]] = {
    "row 1, attention_1, has another query": _node("q_1", start=Affine(2)),
    "row 2, attention_2, sees LEN+2 rows, not LEN+3": _node("keys_2", shape=Shape(LEN + 2, Affine(16))),
    "row 0, attention_0, sees LEN+2 rows, not LEN+1": _node("values_0", shape=Shape(LEN + 2, Affine(16))),
    "row 1, attention_1, sees LEN+2 rows": _node("keys_1", start=Affine(1)),
    "row 1, attention_1, reads values, not keys": _other_source("keys_1", "values"),
    "row 2, attention_2, scales its scores by 0.5": _node("scores_2", scale=0.5),
    "row 2, attention_2, has other scales": _node("scores_2", role="mine"),
}


@pytest.mark.parametrize("says", CAUSAL)
def test_causal(says: str) -> None:
    """The block stays as it is, and what it was made of was something else."""
    before, after = stages(3)["causal"]
    _verifier("causal")(before, after)
    with pytest.raises(VerifyError) as caught:
        _verifier("causal")(CAUSAL[says](before), after)
    assert says in str(caught.value), caught.value


def test_a_block_of_another_number_of_rows() -> None:
    before, after = stages(3)["causal"]
    short = _former(lambda node, _: replace(node, inputs=node.inputs[:2]) if node.name == "attention" else node)
    with pytest.raises(VerifyError, match="made of 2 rows"):
        _verifier("causal")(short(before), after)


REWRITES: dict[str, tuple[str, Callable[[Work], Work]]] = {
    "1 sums, not 2": ("residual", changed("y", residual=False, inputs=lambda g: g.node("y").inputs[:2])),
    "a residual product of 2 tensors": ("residual", changed("y", inputs=lambda g: g.node("y").inputs[:2])),
    "0 relus, not 1": ("relu", changed("f", relu=False)),
    "2 relus, not 1": ("relu", changed("q", relu=True)),
    "normalised and stored go together": ("normalise", changed("probabilities", norm=True)),
    "shown: softmax(logits) (M, 16): normalised and stored": ("normalise", changed("shown", norm=False)),
}


@pytest.mark.parametrize("says", REWRITES)
def test_rewrites(says: str) -> None:
    assert_caught(REWRITES[says][0], says, REWRITES[says][1])


def test_a_residual_of_a_product_with_row_multipliers() -> None:
    """The sum of h moved into attention's product."""

    def change(node: Node, made: Mapping[Node, Node]) -> Node:
        if node.name == "attention":
            x = next(new for new in made.values() if new.name == "x")
            return replace(node, inputs=(*node.inputs, x), residual=True)
        return replace(node, inputs=node.inputs[:2], residual=False) if node.name == "h" else node

    assert_caught("residual", "row multipliers and a residual exclude each other", _former(change))


def spec(**change: Callable[[QuantSpec], Any]) -> Callable[[Work], Work]:
    return lambda work: replace(work, spec=replace(work.spec, **{key: make(work.spec) for key, make in change.items()}))


def column(name: str, change: Callable[[ColumnWeight], ColumnWeight]) -> Callable[[Work], Work]:
    return spec(columns=lambda s: {**s.columns, name: change(s.columns[name])})


QUANTISED: dict[str, Callable[[Work], Work]] = {
    "one step of q is -1.0": spec(scales=lambda s: {**s.scales, "q": -1.0}),
    "one step of q is nan": spec(scales=lambda s: {**s.scales, "q": float("nan")}),
    "W1: weight() (16, 32): has no columns": spec(columns=lambda s: {}),
    "(1,) scales of columns": column("Wq", lambda c: replace(c, scales=c.scales[:1])),
    "a column's scale is not positive": column("Wq", lambda c: replace(c, scales=-c.scales)),
    "has no rows": spec(tensors=lambda s: {}),
    "bytes of another shape": column("Wq", lambda c: replace(c, values=c.values[:, :8])),
    "-128 is no byte of a weight": column("Wq", lambda c: replace(c, values=np.full_like(c.values, -128))),
    "farther than half a step": column("Wk", lambda c: replace(c, values=c.values.T.copy())),
    "E: weight() (16, 16): bytes farther": spec(tensors=lambda s: {"E": s.tensors["E"][::-1]}),
}


@pytest.mark.parametrize("says", QUANTISED)
def test_quantise(says: str) -> None:
    assert_caught("quantise", says, QUANTISED[says])


def test_rows() -> None:
    assert_caught("rows", "outputs attention, choice, logits, shown were row-invariant before",
                  changed("probabilities", causal=False))  # fmt: skip


def item(name: str, size: int | None = None, **change: int) -> Callable[[Work], Work]:
    """An item changed, in windows of another size if that is given."""

    def spoil(work: Work) -> Work:
        sizes = work.layout.sizes if size is None else (size, size, size, size)
        items = {**work.layout.items, name: replace(work.layout.items[name], **change)}
        return replace(work, layout=replace(work.layout, items=items, sizes=sizes))

    return spoil


LAID_OUT: dict[str, Callable[[Work], Work]] = {
    "item k_cache: rows of 9 words 4 words apart": item("k_cache", words=9),
    "item v_cache: ends at": item("v_cache", offset=5000),
    "item Wq.panels: 256 bytes, not 512": item("Wq.panels", rows=2, offset=0),
    "items k_cache and v_cache share words": item("v_cache", offset=1279),
    "k_cache has no place": lambda work: replace(work, layout=replace(work.layout, items={
        name: found for name, found in work.layout.items.items() if name != "k_cache"})),
    "item k_cache: 319 rows in window 1": item("k_cache", rows=319),
    "item E.rows: a gather shifts ids": item("E.rows", 9999, offset=5001),
    "item target.logits: 16 rows in window 2": item("target.logits", 9999, window=2, offset=5000),
}  # fmt: skip
"""Sizes are of nano: 320 cache rows of 4 words; E has 16 rows of 4."""


@pytest.mark.parametrize("says", LAID_OUT)
def test_layout(says: str) -> None:
    assert_caught("layout", says, LAID_OUT[says])


def place(name: str, buffer: str, row: Affine = Affine(), pitch: int = 4) -> Callable[[Work], Work]:
    return unit(placement=lambda u: Placement(
        u.placement.buffers, {**u.placement.places, name: Place(buffer, row, pitch)}))  # fmt: skip


def buffer(name: str, rows: Affine, pitch: int = 4) -> Callable[[Work], Work]:
    return unit(placement=lambda u: Placement(
        {**u.placement.buffers, name: Buffer(name, rows, pitch)}, u.placement.places))  # fmt: skip


PLACED: dict[str, Callable[[Work], Work]] = {
    "q: matmul(x, Wq) (M, 16): has no place": unit(placement=lambda u: Placement(u.placement.buffers, {
        name: found for name, found in u.placement.places.items() if name != "q"})),
    "pitch 5 in buffer of pitch 4": place("q", "q", pitch=5),
    "4 words a row in buffer of pitch 3": lambda work: place("q", "q", pitch=3)(buffer("q", M, 3)(work)),
    "rows LEN .. LEN+M leave buffer keys of LEN rows": buffer("keys", LEN),
    "rows M .. 2*M leave buffer q of M rows": place("q", "q", M),
    "keys: concat_rows(k_cache, k) (LEN+M, 16): k is not in its place": place("k", "keys"),
    "has no row multipliers": unit(placement=lambda u: Placement({
        name: found for name, found in u.placement.buffers.items() if name != "probabilities.rm"}, u.placement.places)),
    "lies where x does": place("q", "x"),
    "shown: softmax(logits) (M, 16) norm: lies where logits does": place("shown", "logits"),
}  # fmt: skip


@pytest.mark.parametrize("says", PLACED)
def test_place(says: str) -> None:
    assert_caught("place", says.replace(" norm:", ":"), PLACED[says])


def test_a_slice_that_is_not_where_its_source_is() -> None:
    sliced = replace(stages(3)["normalise"][0], options=replace(stages(3)["normalise"][0].options, causal=False))
    work = Work(NANO, RANGES, (Unit(subject(3)),), replace(sliced.options))
    for each, made in run_passes(work):
        if each.name == "place":
            wrong = place("q_1", "q", Affine(2))(made)
            with pytest.raises(VerifyError, match="q_1.*not where its source is"):
                each.verify(work, wrong)
            break
        work = made


def rebuilt(lowered: Lowered, change: Callable[[Op], Op | None]) -> Lowered:
    """Operations changed, or dropped for None."""
    made = {op: change(op) for op in lowered.ops}
    kept = {op: new for op, new in made.items() if new is not None}
    after = {new: {kept[b] for b in lowered.after[op] if b in kept} for op, new in kept.items()}
    return Lowered(list(kept.values()), after, dict(lowered.buffers))


def op(node: str, change: Callable[[Op], Op | None], which: int = 0) -> Callable[[Work], Work]:
    """One of a node's operations changed."""

    def spoil(one: Unit) -> Lowered:
        chosen = [each for each in one.lowered.ops if each.node == node][which]
        return rebuilt(one.lowered, lambda each: change(each) if each is chosen else each)

    return unit(lowered=spoil)


def operand(name: str, **change: Any) -> Callable[[Op], Op]:
    return lambda each: replace(each, operands={**each.operands, name: replace(each.operands[name], **change)})


def dims(**change: Affine) -> Callable[[Op], Op]:
    return lambda each: replace(each, dims={**each.dims, **change})


def unordered(node: str, before: str) -> Callable[[Work], Work]:
    """Operations of `node` wait for none of `before`, nor for what leads there."""

    def spoil(one: Unit) -> Lowered:
        found = rebuilt(one.lowered, lambda each: each)
        for each in found.ops:
            if each.node == node:
                found.after[each] = {b for b in found.after[each] if b.node != before}
        return found

    return unit(lowered=spoil)


LOWERED: dict[str, Callable[[Work], Work]] = {
    "q: MM: no buffer nowhere": op("q", operand("left", buffer="nowhere")),
    "q: MM: left has pitch 3, not 4": op("q", operand("left", pitch=3)),
    "q: MM: left leaves buffer x": op("q", operand("left", row=M)),
    "q: MM: out leaves buffer q": op("q", operand("out", word=4)),
    "k_cache: LD: dst leaves buffer keys": op("k_cache", dims(rows=LEN + M + 1)),
    "q: MM: reads x, which nothing writes there": op("x", lambda _: None),
    "q: MM: does not wait for x: LDG": unordered("q", "x"),
    "scores: MM: does not wait for k_cache: LD": lambda work: unordered("scores", "k_cache")(unordered(
        "k", "k_cache")(work)),
    "probabilities: SM: does not wait for scores: MM": unordered("probabilities", "scores"),
    "q: MM: writes rows 0 on of h": op("q", operand("out", buffer="h")),
    "q: matmul(x, Wq) (M, 16): word 1 of its rows is made by no operation": op("q", lambda _: None, 1),
    "q: matmul(x, Wq) (M, 16): operations make 3 of the 4 words": op("q", lambda _: None, 3),
    "target: 5 stores, not 6": op("logits out", lambda _: None),
    "k out: ST: not k": op("k out", operand("src", row=Affine())),
    "logits out: ST: goes to": op("logits out", lambda each: replace(each, ext=ExtRef("target.attention"))),
    "k out: ST: goes to": op("k out", lambda each: replace(each, ext=ExtRef("k_cache"))),
}  # fmt: skip


@pytest.mark.parametrize("says", LOWERED)
def test_lower(says: str) -> None:
    assert_caught("lower", says, LOWERED[says])


def test_two_writes_in_no_order() -> None:
    """Two loads into the same rows."""

    def spoil(one: Unit) -> Lowered:
        found = rebuilt(one.lowered, lambda each: each)
        again = replace(next(each for each in found.ops if each.node == "k_cache"), node="again")
        found.ops.append(again)
        found.after[again] = set()
        for each, earlier in found.after.items():
            if any(b.node == "k_cache" for b in earlier):
                found.after[each] = earlier | {again}
        return found

    assert_caught("lower", "again: LD, k_cache: LD: write in no order", unit(lowered=spoil))


STREAMED: dict[str, Callable[[Work], Work]] = {
    "word 16 is not loaded once": op("Wq[1:2]", lambda each: replace(each, ext=ExtRef("Wq.panels", word=32))),
    "48 of its 64 words are loaded": op("Wq[3:4]", lambda _: None),
    "a chunk of 8 words splits a panel": op("Wq[0:1]", dims(words=Affine(8))),
    "a chunk of 64 words, more than 0": op("Wq[0:1]", dims(words=Affine(64))),
    "does not use Wq[0:1] once": op("q", operand("right", buffer="Wq[1:2]")),
    "does not use Wq[2:3] once": unordered("q", "Wq[2:3]"),
    "Wq[3:4] makes other columns": op("q", operand("out", word=2), 3),
    "loads Wx, Wq, which no product reads": op("Wq[0:1]", lambda each: replace(each, weight="Wx")),
}


@pytest.mark.parametrize("says", STREAMED)
def test_streams(says: str) -> None:
    """By itself: most of these leave a tensor unmade too."""
    after = stages()["lower"][1]
    verify_streams(after.units[0].graph, after.units[0].lowered, NANO, 0)
    one = STREAMED[says](after).units[0]
    graph = one.graph
    if says.startswith("loads"):
        graph = Graph("target", [each for each in graph.nodes if each.name != "Wq"], graph.weights, [])
    with pytest.raises(VerifyError) as caught:
        verify_streams(graph, one.lowered, NANO, 0)
    assert says in str(caught.value), caught.value


def test_stream_keeps_to_its_limit() -> None:
    assert_caught("stream", "a chunk of 128 words, more than 32", unit(choice=lambda _: Choice(32, 0)))


def test_tune() -> None:
    assert_caught("tune", "was never tried", unit(choice=lambda one: Choice(17, 0)))
    assert_caught("tune", "was never tried", unit(choice=lambda one: replace(one.choice, patience=PATIENCE[0])))


def timeline(change: Callable[[list[Op]], list[Op]]) -> Callable[[Work], Work]:
    return unit(timeline=lambda one: Timeline(change(list(one.timeline.program)), {}, {}))


ORDERED: dict[str, Callable[[Work], Work]] = {
    "the schedule lost or repeated an operation": timeline(lambda program: program[1:]),
    "lost or repeated": timeline(lambda program: [*program, program[0]]),
    "is not in the schedule": timeline(lambda program: [replace(program[0]), *program[1:]]),
    "comes before": timeline(lambda program: program[::-1]),
}


@pytest.mark.parametrize("says", ORDERED)
def test_schedule(says: str) -> None:
    assert_caught("schedule", says, ORDERED[says])


def address(name: str, where: Callable[[Mapping[str, int]], int]) -> Callable[[Work], Work]:
    return unit(addresses=lambda one: {**one.addresses, name: where(one.addresses)})


ALLOCATED: dict[str, Callable[[Work], Work]] = {
    "leave the scratchpad": address("h", lambda _: NANO.spad_words - 1),
    "overlap while both are alive": address("keys", lambda at: at["values"]),
}


@pytest.mark.parametrize("says", ALLOCATED)
def test_allocate(says: str) -> None:
    assert_caught("allocate", says, ALLOCATED[says])


def test_two_operands_of_one_bank() -> None:
    """Somewhere in the bank of f there is room for h, which one product reads with it."""
    before, after = stages()["allocate"]
    bank = after.units[0].addresses["f"] // NANO.bank_words * NANO.bank_words
    said = set()
    for start in range(bank, bank + NANO.bank_words, 16):
        with pytest.raises(VerifyError) as caught:
            _verifier("allocate")(before, address("h", lambda _: start)(after))
        said.add(str(caught.value))
    assert any("share a bank" in each for each in said), said


def test_a_base_below_word_0() -> None:
    graph = Graph("last")
    row = graph.slice_rows(graph.input("x", LEN + M, 16), LEN + M - 1, 1, name="row")
    graph.output("o", graph.matmul(row, graph.weight("w", np.eye(16)), name="o"))
    work = Work(NANO, {"x": 1.0, "o": 1.0}, (Unit(graph),))
    made = {each.name: after for each, after in run_passes(work)}
    with pytest.raises(VerifyError, match="an operand's base is below 0"):
        _verifier("allocate")(made["schedule"], address("x", lambda _: 3)(made["allocate"]))


def instruction(opcode: str, **change: Callable[[Any], Any]) -> Callable[[Work], Work]:
    """The first instruction of an opcode with other fields."""

    def spoil(one: Unit) -> tuple[Instruction, ...]:
        at = next(pc for pc, each in enumerate(one.instructions) if each.op == opcode)
        old = one.instructions[at]
        new = Instruction(old.op, {**old.fields, **{name: make(old.fields[name]) for name, make in change.items()}})
        return (*one.instructions[:at], new, *one.instructions[at + 1 :])

    return unit(instructions=spoil)


EMITTED: dict[str, Callable[[Work], Work]] = {
    "instructions of": unit(instructions=lambda one: one.instructions[1:]),
    "no HALT at the end": unit(instructions=lambda one: (*one.instructions[:-1], one.instructions[0])),
    "is a fault, scratchpad, at LEN=0 M=1": instruction("MM", out=lambda old: replace(old, base=4096)),
    "m is 1, not 16": instruction("MM", m=lambda _: Dim(1)),
    "left at LEN=0 M=1 starts at": instruction("MM", left=lambda old: replace(old, base=old.base + 1)),
    "SM became VEC": unit(instructions=lambda one: tuple(
        Instruction("VEC") if each.op == "SM" else each for each in one.instructions)),
    "its constants are not at": instruction("MM", const=lambda old: old + 1),
}  # fmt: skip


@pytest.mark.parametrize("says", EMITTED)
def test_emit(says: str) -> None:
    assert_caught("emit", says, EMITTED[says])


def test_an_operand_that_leaves_its_buffer() -> None:
    """Its start is right, and its rows are more than the buffer has."""

    def spoil(one: Unit) -> Lowered:
        return Lowered(one.lowered.ops, one.lowered.after, {
            name: replace(each, rows=Affine(1)) for name, each in one.lowered.buffers.items()})  # fmt: skip

    assert_caught("emit", "leaves ", unit(lowered=spoil))


def test_a_mistake_is_named_with_its_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("capra.plan.place", lambda *_: Placement({}, {}))
    with pytest.raises(VerifyError, match=r"^pass place: ids: input\(\) \(M, 1\): has no place"):
        for _ in run_passes(stages()["graph"][0]):
            pass
