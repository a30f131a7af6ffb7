# SPDX-License-Identifier: Apache-2.0
"""The texts of the passes: every figure in them is read back and compared with what the pass has made."""

import re
from functools import lru_cache

import numpy as np
import pytest

from capra import LEN, Affine, FusionOptions, Graph, M
from capra.dump import columns, dump, graph_lines, operation
from capra.ops import ExtRef, Op, Ref
from capra.passes import PASSES, run_passes
from capra.work import Choice, Unit, Work
from ga2.spec import load_config

NANO = load_config("nano")


def graph() -> Graph:
    """Cached keys that span banks, a slice, a weight by rows, a weight in panels, what is stored and what is a flag."""
    rng = np.random.default_rng(0)
    made = Graph("mine")
    x = made.input("x", 3, 8)
    k = made.matmul(x, made.weight("W", rng.normal(0, 1, (8, 6))), name="k")
    whole = made.concat_rows(made.input("old", LEN, 6, kind="cache", role="k"), k, name="whole")
    query = made.slice_rows(made.matmul(x, made.weight("V", rng.normal(0, 1, (8, 6))), name="q"), 1, 2, name="query")
    rows = made.weight("R", rng.normal(0, 1, (5, 6)), role="r")
    made.output("near", made.relu(made.scores(query, rows, 0.5, name="raw"), name="near"))
    made.output("best", made.argmax(made.scores(query, whole, name="scores"), name="best"))
    made.output("kept", k, cache=made.node("old"))
    return made


@lru_cache
def works() -> dict[str, Work]:
    """After every pass, by its name."""
    ranges = dict.fromkeys(("x", "k", "q", "r", "raw", "near", "scores"), 2.0)
    work = Work(NANO, ranges, (Unit(graph()),), FusionOptions(relu=False), tuned=False)
    return {each.name: made for each, made in run_passes(work)}


def lines(name: str) -> list[str]:
    """Of a pass's text, without the lines that head it."""
    (each,) = [each for each in PASSES if each.name == name]
    text = dump(name, each.summary, works()[name])
    assert text.startswith(f"{name}: {each.summary}, for nano\n") and text.endswith("\n")
    return [line for line in text.splitlines()[1:] if line != "program mine"]


def cells(name: str) -> list[list[str]]:
    return [re.split(r" {2,}", line.strip()) for line in lines(name)]


def test_cells_stand_below_one_another_without_blanks_at_the_end() -> None:
    rows = [("a", "bbb", ""), ("aaaa", "b", "c")]
    assert list(columns(rows)) == ["  a     bbb", "  aaaa  b    c"]
    assert list(columns([])) == []
    with pytest.raises(ValueError):
        list(columns([("a", "b"), ("a",)]))


def test_a_graph_is_told_node_by_node() -> None:
    found = [re.split(r" {2,}", line.strip()) for line in graph_lines(graph())]
    assert found == [
        ["x", "input(rows)", "(3, 8)"],
        ["W", "weight()", "(8, 6)"],
        ["k", "matmul(x, W)", "(3, 6)"],
        ["old", "input(cache)", "(LEN, 6)", "role k"],
        ["whole", "concat_rows(old, k)", "(LEN+3, 6)", "role k"],
        ["V", "weight()", "(8, 6)"],
        ["q", "matmul(x, V)", "(3, 6)"],
        ["query", "slice_rows(q)[1 : 3]", "(2, 6)", "role q"],
        ["R", "weight()", "(5, 6)", "role r"],
        ["raw", "matmul(query, R)", "(2, 5)", "scale 0.5, transpose_b"],
        ["near", "relu(raw)", "(2, 5)"],
        ["scores", "matmul(query, whole)", "(2, LEN+3)", "transpose_b"],
        ["best", "argmax(scores)", "(2, 1)"],
        ["store near as near"],
        ["store best as best"],
        ["store k as kept, behind old"],
    ]


@pytest.mark.parametrize("word", [0, 3])
@pytest.mark.parametrize("row", [Affine(), Affine(2), LEN, M - 1])
def test_an_operand_is_its_buffer_with_row_and_word_unless_both_are_0(row: Affine, word: int) -> None:
    dims, source = {"rows": M + 0, "words": Affine(4)}, {"src": Ref("b", 4, row, word)}
    op = Op("ST", "out", dims, source, ext=ExtRef("i", row, word))
    at = f"[{row}, {word}]" if (str(row), word) != ("0", 0) else ""
    assert operation(op) == f"ST out: rows=M words=4 src=b{at} ext=i{at}"
    assert operation(Op("VEC", "n", {}, {"a": Ref("b", 4)})) == "VEC n: a=b"


def test_sizes_at_the_least_and_the_largest_block() -> None:
    title, *found = cells("shapes")
    assert title == ["tensor", "shape", "at LEN=0 M=1", "largest", "words"]
    words = {name: int(each[-1]) for name, *each in found}
    assert {name: each[1:3] for name, *each in found if name in ("old", "whole", "scores")} == {
        "old": ["0 x 6", f"{NANO.max_len - 1} x 6"],
        "whole": ["3 x 6", f"{NANO.max_len + 2} x 6"],
        "scores": ["2 x 3", f"2 x {NANO.max_len + 2}"],
    }
    assert words["whole"] == 2 * (NANO.max_len + 2) and words["x"] == 6 and words["best"] == 2
    assert [name for name, *_ in found] == [node.name for node in works()["shapes"].units[0].graph.nodes]


def test_where_tensors_lie() -> None:
    found = {name: each for name, *each in cells("place") if each}
    assert found["k"] == ["whole", "LEN .. LEN+2"] and found["old"] == ["whole", "0 .. LEN-1"]
    assert found["query"] == ["q, a view", "1 .. 2"] and found["whole"][0] == "whole, a view"
    assert found["W"] == ["external memory"] and found["R"] == ["R", "0 .. 4"]
    assert ["whole", "LEN+3", "2"] in cells("place")  # the buffer


def test_scales_and_how_each_weight_is_read() -> None:
    spec, found = works()["quantise"].spec, cells("quantise")
    for role, scale in spec.scales.items():
        assert [role, f"{scale:.6g}"] in found
    scales = spec.columns["W"].scales
    assert ["W", "8 x 6", "panels", f"{min(scales):.6g} to {max(scales):.6g}, one a column"] in found
    assert ["R", "5 x 6", "rows", f"{spec.scale('r'):.6g}"] in found


def test_windows_are_listed_item_by_item() -> None:
    title, *found = cells("layout")
    items = sorted(works()["layout"].layout.items.values(), key=lambda item: (item.window, item.offset))
    names = ("weights", "caches", "inputs", "outputs")
    assert found == [
        [f"{each.window} {names[each.window]}", each.name, *map(str, (each.offset, each.rows, each.words, each.pitch))]
        for each in items
    ] and title == ["window", "item", "from word", "rows", "words", "pitch"]  # fmt: skip


def test_chunks_of_a_weight_bring_all_of_it() -> None:
    title, *rows = cells("stream")[:3]
    assert title == ["weight", "chunks", "words"] and {weight for weight, *_ in rows} == {"W", "V"}
    for _, count, words in rows:
        sizes = [int(size) for size in words.split()]
        assert len(sizes) == int(count) and sum(sizes) == 2 * 8  # panels of four columns, eight rows deep


def test_operations_name_what_they_come_after() -> None:
    lowered = works()["lower"].units[0].lowered
    found = [re.split(r" {2,}", line.strip()) for line in lines("lower") if re.match(r" +\d+ ", line)]
    found = [each for each in found if ":" in each[1]]
    assert [each[1] for each in found] == [operation(op) for op in lowered.ops]
    for index, (number, _, *after) in enumerate(found):
        assert int(number) == index
        assert {lowered.ops[int(at)] for at in " ".join(after).split()} == lowered.after[lowered.ops[index]]


def test_buffers_are_told_with_their_banks_and_the_operations_that_touch_them() -> None:
    (one,) = works()["allocate"].units
    _, *found = cells("allocate")
    assert {name for *_, name in found} == set(one.addresses)
    assert [words[:6] for words, *_ in found] == sorted(words[:6] for words, *_ in found)
    spanning = 0
    for words, banks, alive, name in found:
        start, end = (int(each, 16) for each in words.split(" .. "))
        assert start == one.addresses[name] and end - start == one.lowered.buffers[name].words(NANO.max_len, NANO.m_max)
        touched = sorted({word // NANO.bank_words for word in range(start, end)})
        assert banks == (str(touched[0]) if len(touched) == 1 else f"{touched[0]}-{touched[-1]}")
        spanning += len(touched) > 1
        users = [index for index, op in enumerate(one.timeline.program)
                 if name in {ref.buffer for ref in op.operands.values()}]  # fmt: skip
        assert alive == f"{users[0]} .. {users[-1]}"
    assert 0 < spanning < len(found)


def test_the_order_and_its_instructions_are_told_in_full() -> None:
    (one,) = works()["emit"].units
    line = one.timeline
    assert cells("schedule")[1:] == [
        [str(index), op.unit, str(line.start[op]), str(line.done[op]), operation(op)]
        for index, op in enumerate(line.program)
    ]
    count = len(works()["emit"].constants)
    found = lines("emit")[count + 1 :]
    assert len(found) == len(line.program) + 1 and found[-1].split() == [str(len(line.program)), "HALT"]
    for index, op in enumerate(line.program):
        mnemonic = "VRELU" if op.opcode == "VEC" else op.opcode  # the one vector operation here
        assert re.match(rf" +{index} +{mnemonic} .* {re.escape(op.node)}$", found[index])


@pytest.mark.parametrize("patience", [0, 16])
def test_a_choice_speaks_of_patience_only_if_there_is_some(patience: int) -> None:
    work = Work(NANO, {}, (Unit(Graph("g"), choice=Choice(128, 2, patience)),))
    ahead = "  128 words of weights loaded ahead at most, variant 2 of the allocator"
    expected = ["tune: why, for nano", "program g", ahead]
    if patience:
        expected.append("  a unit idles 16 cycles at most for something more urgent")
    assert dump("tune", "why", work).splitlines() == expected


def test_verdicts_on_rows() -> None:
    found = lines("rows")
    assert all(f"  output {name}: " in "\n".join(found) for name in ("near", "best", "kept"))
    target = Graph("steps")
    target.output("o", target.relu(target.input("x", M, 4), name="o"))
    work = Work(NANO, {}, (Unit(target),))
    assert dump("rows", "why", work).splitlines()[-1] == "  output o: row-invariant"
