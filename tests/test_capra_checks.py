# SPDX-License-Identifier: Apache-2.0
"""More of the checks between passes: what they must accept, what they must refuse, and the exact regions they judge by.

`test_capra_verifiers.py` spoils a whole target in one place at a time; here the graphs are as small as the rule allows.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capra import LEN, Affine, Graph, M, quantise
from capra.graph import Output
from capra.lower import Lowered
from capra.node import Node, Shape
from capra.ops import ExtRef, Op, Ref
from capra.passes import PASSES, run_passes
from capra.place import Buffer
from capra.quantise import QuantSpec
from capra.verify import (
    VerifyError,
    verify_allocation,
    verify_choice,
    verify_graph,
    verify_order,
    verify_quantisation,
    verify_streams,
)
from capra.verify.extents import Region, region, regions
from capra.work import Choice, Unit, Work
from ga2.spec import load_config

NANO = load_config("nano")
NUMBERS = np.random.default_rng(5).normal(0, 0.3, (16, 16))


def graph_of_all() -> Graph:
    """Attention, a residual, a relu and a stored softmax on one block, and a cache."""
    graph = Graph("all")
    x, cache = graph.input("x", M, 16), graph.input("cache", LEN, 16, kind="cache", role="k")
    k = graph.matmul(x, graph.weight("Wk", NUMBERS), name="k")
    graph.output("k", k, cache=cache)
    keys = graph.concat_rows(cache, k, name="keys")
    values = graph.copy(keys, name="values")
    seen = graph.softmax(graph.scores(x, keys, name="scores"), causal=True, name="seen")
    attention = graph.matmul(seen, values, name="attention")
    h = graph.add(x, graph.matmul(attention, graph.weight("Wo", NUMBERS)), name="h")
    y = graph.relu(graph.matmul(h, graph.weight("W1", NUMBERS)), name="y")
    graph.output("y", y)
    graph.output("shown", graph.softmax(y, name="shown"))
    return graph


@lru_cache
def stages() -> dict[str, tuple[Work, Work]]:
    """Before and after every pass."""
    graph = graph_of_all()
    before = Work(NANO, {node.role: 2.0 for node in graph.nodes}, (Unit(graph),))
    found = {}
    for each, after in run_passes(before):
        found[each.name] = before, after
        before = after
    return found


def verifier(name: str) -> Callable[[Work, Work], None]:
    return next(each.verify for each in PASSES if each.name == name)


def test_every_pass_is_accepted_as_it_is() -> None:
    for name, (before, after) in stages().items():
        verifier(name)(before, after)


@pytest.mark.parametrize("name", ["prune", "shapes", "causal", "residual", "relu", "normalise"])
def test_a_rewrite_stores_what_was_stored(name: str) -> None:
    """Whichever rewrite loses an output."""
    before, after = stages()[name]
    [unit] = after.units
    less = Graph(unit.graph.name, unit.graph.nodes, unit.graph.weights, unit.graph.outputs[:2])
    nodes = [node for node in less.nodes if node.name != "shown"]
    with pytest.raises(VerifyError, match="graph all: stores "):
        verifier(name)(before, replace(after, units=(replace(unit, graph=replace(less, nodes=nodes)),)))


@pytest.mark.parametrize("name", ["prune", "lower", "allocate"])
def test_no_pass_loses_a_program(name: str) -> None:
    before, after = stages()[name]
    with pytest.raises(ValueError, match="zip"):
        verifier(name)(before, replace(after, units=()))


@pytest.mark.parametrize("name", ["lower", "stream"])
def test_operations_are_judged_after_each_pass_that_makes_them(name: str) -> None:
    before, after = stages()[name]
    [unit] = after.units
    made = {op: op for op in unit.lowered.ops}
    old = next(op for op in unit.lowered.ops if op.node == "scores")
    left = old.operands["left"]
    made[old] = replace(old, operands={**old.operands, "left": replace(left, pitch=left.pitch + 1)})
    after_each = {made[op]: {made[b] for b in earlier} for op, earlier in unit.lowered.after.items()}
    spoilt = Lowered(list(made.values()), after_each, unit.lowered.buffers)
    with pytest.raises(VerifyError, match="scores: MM: left has pitch 5, not 4"):
        verifier(name)(before, replace(after, units=(replace(unit, lowered=spoilt),)))


def test_constants_are_where_the_instruction_says() -> None:
    before, after = stages()["emit"]
    moved = replace(after, constants=after.constants[1:] + after.constants[:1])
    with pytest.raises(VerifyError, match="k: its constants are not at 0"):
        verifier("emit")(before, moved)


def test_no_operation_waits_for_itself() -> None:
    op = Op("LD", "x", {}, {})
    verify_order([op], Lowered([op], {op: set()}))
    with pytest.raises(VerifyError, match="x: LD comes before LD x"):
        verify_order([op], Lowered([op], {op: {op}}))


def test_a_buffer_has_words_and_none_of_them_below_0() -> None:
    program = [Op("LD", "x", {}, {"dst": Ref("x", 1)})]
    for rows, start, holds in ((4, 0, True), (4, NANO.spad_words - 4, True), (4, NANO.spad_words - 3, False),
                               (4, -1, False), (0, 8, False)):  # fmt: skip
        buffers = {"x": Buffer("x", Affine(rows), 1)}
        if holds:
            verify_allocation(program, buffers, {"x": start}, NANO)
        else:
            with pytest.raises(VerifyError, match="buffer x: "):
                verify_allocation(program, buffers, {"x": start}, NANO)


def test_neighbours_share_no_word_and_a_bank_only_if_no_operation_reads_both() -> None:
    buffers = {name: Buffer(name, Affine(4), 1) for name in "abo"}
    loads = [Op("LD", name, {}, {"dst": Ref(name, 1)}) for name in "ab"]
    reads = Op("VEC", "sum", {}, {"out": Ref("o", 1), "a": Ref("a", 1), "b": Ref("b", 1)})
    bank = NANO.bank_words
    verify_allocation(loads, buffers, {"a": 0, "b": 4}, NANO)
    verify_allocation([*loads, reads], buffers, {"a": bank - 4, "b": bank, "o": 2 * bank}, NANO)
    for at in (bank - 8, 2 * bank - 4):
        verify_allocation([*loads, reads], buffers, {"a": at, "b": bank if at < bank else 2 * bank, "o": 0}, NANO)
    for one, other in ((0, bank - 4), (bank - 3, bank + 1), (bank - 1, bank + 3)):
        with pytest.raises(VerifyError, match="buffers [ab] and [ab] share a bank"):
            verify_allocation([*loads, reads], buffers, {"a": one, "b": other, "o": 3 * bank}, NANO)


def test_the_default_of_a_choice_is_one_that_is_tried() -> None:
    """No patience: only chained programs have any."""
    verify_choice(Choice(NANO.spad_words, 0), graph_of_all(), NANO)


@pytest.mark.parametrize(("rows", "says"), [(LEN + 15, "another shape"), (M + 14, "another shape"), (Affine(16), "")])
def test_a_weight_has_the_shape_of_its_numbers(rows: Affine, says: str) -> None:
    node = Node("W", "weight", (), Shape(rows, Affine(16)), "W")
    graph = Graph("g", [node], {"W": NUMBERS}, [])
    if not says:
        verify_graph(graph)
        return
    with pytest.raises(VerifyError, match=f"its numbers have {says}"):
        verify_graph(graph)


def test_operands_are_the_graphs_own_tensors() -> None:
    """One of the same name and shape is not enough."""
    graph = Graph("g")
    x = graph.input("x", M, 16)
    graph.nodes.append(Node("y", "relu", (replace(x),), x.shape, "y"))
    with pytest.raises(VerifyError, match=r"^y: relu\(x\) \(M, 16\): x comes too late$"):
        verify_graph(graph)


def weight_graph(build: Callable[[Graph, Node, Node], Node], numbers: np.ndarray = NUMBERS) -> Graph:
    """One use of the weight w (16, 16) beside x (M, 16)."""
    graph = Graph("g")
    x = graph.input("x", M, 16)
    graph.output("o", build(graph, x, graph.weight("w", numbers, role="w")))
    return graph


def quantised(graph: Graph) -> QuantSpec:
    return quantise([graph], {node.role: 2.0 for node in graph.nodes if node.op != "weight"})


USES: dict[str, tuple[Callable[[Graph, Node, Node], Node], bool, bool]] = {
    "times a weight": (lambda g, x, w: g.matmul(x, w), True, False),
    "against a weight's rows": (lambda g, x, w: g.scores(x, w), False, True),
    "a weight times a weight": (lambda g, x, w: g.matmul(w, w), True, True),
    "a weight times rows": (lambda g, x, w: g.matmul(w, g.input("y", 16, 4)), False, True),
    "a weight stored": (lambda g, x, w: w, False, True),
    "a table": (lambda g, x, w: g.gather(w, g.argmax(x)), False, True),
    "exponentials times a weight": (lambda g, x, w: g.matmul(g.softmax(x), w), False, True),
}
"""In column panels, row by row."""


@pytest.mark.parametrize("use", USES)
def test_a_weight_has_the_bytes_that_its_uses_read_and_no_others(use: str) -> None:
    build, panels, rows = USES[use]
    graph = weight_graph(build)
    spec = quantised(graph)
    assert (set(spec.columns), set(spec.tensors)) == ({"w"} if panels else set(), {"w"} if rows else set())
    verify_quantisation([graph], spec)
    if panels:
        with pytest.raises(VerifyError, match="has no columns"):
            verify_quantisation([graph], replace(spec, columns={}))
    if rows:
        with pytest.raises(VerifyError, match="has no rows"):
            verify_quantisation([graph], replace(spec, tensors={}))


def test_numbers_half_way_between_two_bytes_are_right_either_way() -> None:
    numbers = np.full((16, 16), 0.5)
    numbers[0] = 127.0
    graph = weight_graph(lambda g, x, w: g.matmul(x, w), numbers)
    spec = quantised(graph)
    assert set(spec.columns["w"].values[1:].ravel()) == {1}
    verify_quantisation([graph], spec)
    lower = replace(spec.columns["w"], values=np.where(numbers == 127, 127, 0).astype(np.int8))
    verify_quantisation([graph], replace(spec, columns={"w": lower}))
    beyond = replace(spec.columns["w"], values=np.where(numbers == 127, 127, 2).astype(np.int8))
    with pytest.raises(VerifyError, match="farther than half a step"):
        verify_quantisation([graph], replace(spec, columns={"w": beyond}))


def test_a_column_of_zeros_has_a_scale_all_the_same() -> None:
    numbers = NUMBERS.copy()
    numbers[:, 3] = 0
    graph = weight_graph(lambda g, x, w: g.matmul(x, w), numbers)
    spec = quantised(graph)
    column = spec.columns["w"]
    assert column.scales[3] == 1.0 and not column.values[:, 3].any()
    verify_quantisation([graph], spec)
    none = replace(column, scales=np.where(np.arange(16) == 3, 0.0, column.scales))
    with pytest.raises(VerifyError, match="a column's scale is not positive"):
        verify_quantisation([graph], replace(spec, columns={"w": none}))


def streamed() -> tuple[Graph, Lowered]:
    unit = stages()["lower"][1].units[0]
    return unit.graph, unit.lowered


def test_chunks_may_be_loaded_in_any_order() -> None:
    graph, lowered = streamed()
    backwards = Lowered(lowered.ops[::-1], lowered.after, lowered.buffers)
    verify_streams(graph, backwards, NANO, 0)


def test_a_chunk_comes_from_external_memory() -> None:
    graph, lowered = streamed()
    made = {op: replace(op, ext=None) if op.node == "Wk[1:2]" else op for op in lowered.ops}
    after = {made[op]: {made[b] for b in earlier} for op, earlier in lowered.after.items()}
    for ops in (list(made.values()), list(made.values())[::-1]):
        with pytest.raises(VerifyError, match=r"^Wk: weight\(\) \(16, 16\): word (0|16) is not loaded once$"):
            verify_streams(graph, Lowered(ops, after, lowered.buffers), NANO, 0)


SMALL = st.integers(-2, 2)
AFFINE = st.builds(Affine, st.integers(-4, 4), SMALL, SMALL)
REGIONS = st.builds(lambda first, rows, lo, words: Region("b", first, rows, lo, lo + words), AFFINE, AFFINE,
                    st.integers(0, 3), st.integers(1, 3))  # fmt: skip


@given(REGIONS, REGIONS)
def test_regions_are_apart_only_if_one_lies_below_the_other_always(one: Region, other: Region) -> None:
    """In words, or in rows for every LEN and M; sizes are affine, so three points tell."""
    points = [(0, 1), (1000, 1), (0, 1000)]

    def below(low: Region, high: Region) -> bool:
        return all((low.first + low.rows).at(*at) <= high.first.at(*at) for at in points)

    words = max(one.lo, other.lo) < min(one.hi, other.hi)
    assert one.meets(other) == (words and not below(one, other) and not below(other, one))
    assert not one.meets(replace(other, buffer="c"))


EXTENTS: dict[str, tuple[str, dict[str, int], dict[str, int | str], dict[str, tuple[int, int]]]] = {
    "a panel product": ("MM", {"m": 3, "n": 6, "k": 10}, {"right_mode": "panel", "residual": 1},
                        {"out": (3, 2), "left": (3, 3), "right": (1, 20), "aux": (3, 2)}),
    "a product by rows": ("MM", {"m": 3, "n": 6, "k": 10}, {"right_mode": "rows", "rowmul": 1},
                          {"out": (3, 2), "left": (3, 3), "right": (10, 2), "aux": (3, 1)}),
    "a transposed product": ("MM", {"m": 3, "n": 6, "k": 10}, {"right_mode": "transposed"},
                             {"out": (3, 2), "left": (3, 3), "right": (6, 3)}),
    "a softmax": ("SM", {"rows": 3, "n": 9, "len": 9}, {}, {"dst": (3, 3), "src": (3, 3), "rmul": (3, 1)}),
    "a sum": ("VEC", {"rows": 3, "n": 9}, {}, {"out": (3, 3), "a": (3, 3), "b": (3, 3)}),
    "an argmax": ("AMAX", {"rows": 3, "n": 9}, {}, {"out": (3, 1), "src": (3, 3)}),
    "a load": ("LD", {"rows": 3, "words": 2}, {}, {"dst": (3, 2)}),
    "a gather": ("LDG", {"rows": 3, "words": 2}, {}, {"dst": (3, 2), "ids": (3, 1)}),
    "a store": ("ST", {"rows": 3, "words": 2}, {}, {"src": (3, 2)}),
}  # fmt: skip
"""On nano, whose words have 4 bytes: rows and words of each operand."""


@pytest.mark.parametrize("what", EXTENTS)
def test_the_extent_of(what: str) -> None:
    opcode, dims, fields, expected = EXTENTS[what]
    operands = {name: Ref(name, 40, Affine(2), 5) for name in expected}
    op = Op(opcode, "n", {name: Affine(size) for name, size in dims.items()}, operands, fields, ExtRef("item"))
    found = {name: Region(name, Affine(2), Affine(rows), 5, 5 + words) for name, (rows, words) in expected.items()}
    assert {name: region(op, name, NANO) for name in expected} == found
    written = {name for name in expected if name in ("out", "dst", "rmul")}
    assert {each.buffer for each in regions(op, "write", NANO)} == written
    assert {each.buffer for each in regions(op, "read", NANO)} == set(expected) - written


def test_rows_are_as_wide_as_they_ever_get() -> None:
    """Scores: LEN + M columns are 320 bytes on nano, whatever M."""
    op = Op("VEC", "n", {"rows": M, "n": LEN + M}, {"out": Ref("out", 80)})
    assert region(op, "out", NANO) == Region("out", Affine(), M, 0, 80)


def test_one_output_may_not_stand_for_another() -> None:
    """Two outputs of equal shape and place in two items: the stores come in the outputs' order."""
    before, after = stages()["lower"]
    [unit] = after.units
    named = [Output("z", each.node, each.cache) if each.name == "y" else each for each in unit.graph.outputs]
    spoilt = replace(unit, graph=replace(unit.graph, outputs=named))
    with pytest.raises(VerifyError, match="y out: ST: goes to .*not to row 0 of all.z"):
        verifier("lower")(before, replace(after, units=(spoilt,)))
