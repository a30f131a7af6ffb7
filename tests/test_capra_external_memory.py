# SPDX-License-Identifier: Apache-2.0
"""Windows, items and bytes of external memory, the pool of constants, and where a compiled model says things lie."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capra import LEN, Affine, EmitError, Graph, GraphError, M, Symbol, compile_graphs
from capra.compile import assembled
from capra.emit import ConstantPool, emit
from capra.layout import Layout, lay_out, padded_rows, panels, place_windows
from capra.ops import Op, Ref
from capra.passes import finished, run_passes
from capra.quantise import QuantSpec
from capra.work import Unit, Work
from ga2.isa.encoding import Constant, Dim
from ga2.isa.image import ImageError
from ga2.spec import CONFIG_NAMES, load_config

RANGES = dict.fromkeys(("x", "c", "p", "q", "e", "s", "r"), 2.0)
PAGE = 4096


def first() -> Graph:
    """A gather, a product by panels, one by rows, a cache that is appended to, a softmax that is stored."""
    rng = np.random.default_rng(0)
    graph = Graph("first")
    x = graph.gather(graph.weight("E", rng.normal(0, 1, (11, 21)), role="x"), graph.input("ids", M, 1, kind="ids"))
    made = graph.matmul(x, graph.weight("W", rng.normal(0, 1, (21, 19))), name="p", role="c")
    cache = graph.input("cache", LEN, 19, kind="cache", role="c")
    scores = graph.scores(graph.weight("R", rng.normal(0, 1, (3, 19)), role="r"), made, name="s")
    graph.output("appended", made, cache=cache)
    graph.output("choice", graph.argmax(scores, name="choice") if scores.shape.cols.constant else graph.argmax(made))
    graph.output("shares", graph.softmax(made, name="e"))
    graph.output("best", graph.argmax(scores, name="best"))
    return graph


def second() -> Graph:
    """Shares table, cache and ids with the first, and has an output and an input of its own."""
    graph = Graph("second")
    ids = graph.input("ids", M, 1, kind="ids")
    graph.output("choice", graph.argmax(graph.gather(graph.weight("E", first().weights["E"], role="x"), ids)))
    cache = graph.input("cache", LEN, 19, kind="cache", role="c")
    block = graph.input("block", 5, 19, role="c")
    graph.output("both", graph.copy(graph.concat_rows(block, graph.input("more", LEN + M, 19, role="c"))))
    graph.output("old", graph.copy(graph.concat_rows(cache, graph.input("newer", 2, 19, role="c"), name="whole")))
    return graph


@lru_cache
def laid_out(config: str) -> tuple[Layout, QuantSpec]:
    work = Work(load_config(config), RANGES, (Unit(first()), Unit(second())))
    made = next(made for each, made in run_passes(work) if each.name == "layout")
    return made.layout, made.spec


SIZES = {  # window, rows, bytes a row
    "E.rows": (0, 11, 21), "R.rows": (0, 3, 19), "cache": (1, "max_len", 19), "ids": (2, "m_max", 1),
    "block": (2, 5, 19), "more": (2, "max_len", 19), "newer": (2, 2, 19), "first.choice": (3, "m_max", 1),
    "first.shares": (3, "m_max", 19), "first.best": (3, 3, 1), "second.choice": (3, "m_max", 1),
    "second.both": (3, "more", 19), "second.old": (3, "older", 19),
}  # fmt: skip


@pytest.mark.parametrize("name", CONFIG_NAMES)
def test_every_tensor_that_lies_in_memory_has_room_for_its_largest_size(name: str) -> None:
    config, (layout, _) = load_config(name), laid_out(name)
    named = {"max_len": config.max_len, "m_max": config.m_max, "more": config.max_len + 5,
             "older": config.max_len - 1 + 2}  # fmt: skip
    assert set(layout.items) == {*SIZES, "W.panels"}
    for item, (window, rows, width) in SIZES.items():
        found = layout.items[item]
        assert (found.name, found.window) == (item, window)
        assert found.rows == named.get(rows, rows), item
        assert found.words == -(-width // config.cols) and found.pitch >= found.words, item
        assert item.endswith(".rows") or found.pitch == found.words, item


@pytest.mark.parametrize("name", CONFIG_NAMES)
def test_items_of_a_window_lie_one_behind_the_other(name: str) -> None:
    layout, _ = laid_out(name)
    for window in range(4):
        items = sorted((each for each in layout.items.values() if each.window == window), key=lambda item: item.offset)
        end = 0
        for item in items:
            aligned = item.pitch if item.name.endswith(".rows") else 1
            assert item.offset == -(-end // aligned) * aligned, item
            end = item.offset + item.rows * item.pitch
        assert layout.sizes[window] == end > 0


@pytest.mark.parametrize("name", CONFIG_NAMES)
def test_a_gathered_table_has_a_pitch_to_shift_ids_by(name: str) -> None:
    """The least power of two that holds a row."""
    for item in ("E.rows", "R.rows"):
        found = laid_out(name)[0].items[item]
        powers = [1 << bit for bit in range(12)]
        assert found.pitch == min(power for power in powers if power >= found.words)


@pytest.mark.parametrize("name", CONFIG_NAMES)
def test_the_bytes_of_a_weight_are_where_the_core_looks_for_them(name: str) -> None:
    cols, (layout, spec) = load_config(name).cols, laid_out(name)
    values = spec.columns["W"].values
    there = layout.contents["W.panels"].view(np.int8)
    assert there.shape == (-(-19 // cols) * 21, cols) and layout.items["W.panels"].words == len(there)
    for row in range(21):
        for column in range(-(-19 // cols) * cols):
            expected = values[row, column] if column < 19 else 0
            assert there[column // cols * 21 + row, column % cols] == expected
    for weight, shape in (("E", (11, 21)), ("R", (3, 19))):
        rows = layout.contents[f"{weight}.rows"].view(np.int8)
        assert rows.shape == (shape[0], layout.items[f"{weight}.rows"].pitch * cols)
        assert np.array_equal(rows[:, : shape[1]], spec.tensors[weight]) and not rows[:, shape[1] :].any()
    assert set(layout.contents) == {"W.panels", "E.rows", "R.rows"}


@pytest.mark.parametrize("start", [0, 1, PAGE - 1, PAGE, 12345])
def test_windows_begin_with_the_next_page_and_only_caches_and_outputs_are_writable(start: int) -> None:
    config, (layout, _) = load_config("wide"), laid_out("wide")
    end = start
    windows = place_windows(layout, config, start)
    for window, words in zip(windows, layout.sizes, strict=True):
        assert window.base % PAGE == 0 and 0 <= window.base - end < PAGE
        assert window.size == words * config.cols
        end = window.base + window.size
    assert [window.writable for window in windows] == [False, True, False, True]


def test_panels_and_rows_of_a_single_column() -> None:
    values = np.array([[1], [-2]], np.int8)
    assert panels(values, 4).view(np.int8).tolist() == [[1, 0, 0, 0], [-2, 0, 0, 0]]
    assert padded_rows(values, 8).view(np.int8).tolist() == [[1] + [0] * 7, [-2] + [0] * 7]


def test_what_programs_share_has_one_size() -> None:
    def program(name: str, rows: Affine, cols: int, kind: str) -> Graph:
        graph = Graph(name)
        graph.output("o", graph.copy(graph.concat_rows(graph.input("x", rows, cols, kind=kind))))
        return graph

    spec, config = QuantSpec({"x": 1.0}), load_config("nano")
    one = program("one", M, 16, "rows")
    lay_out([one, program("two", M, 13, "rows")], spec, config)  # as many words
    for other in (program("two", M, 17, "rows"), program("two", M + 1, 16, "rows"), program("two", M, 16, "cache")):
        with pytest.raises(GraphError, match="x: two programs share it with different sizes"):
            lay_out([one, other], spec, config)


RUNS = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3), max_size=12)


@given(RUNS, st.integers(1, 9))
def test_a_pool_holds_every_run_that_fits_and_none_twice(runs: list[list[int]], depth: int) -> None:
    pool = ConstantPool(depth)
    for numbers in runs:
        run = [Constant(mult=number) for number in numbers]
        before = list(pool.constants)
        places = [at for at in range(len(before)) if before[at : at + len(run)] == run]
        if not places and len(before) + len(run) > depth:
            says = f"{len(before) + len(run)} constants, but the constant memory holds {depth}"
            with pytest.raises(EmitError, match=says):
                pool.index(run)
            assert pool.constants == before
            continue
        at = pool.index(tuple(run))
        assert pool.constants[at : at + len(run)] == run
        assert pool.constants == (before if places else before + run)


def test_sizes_that_a_field_cannot_hold_are_refused_by_name() -> None:
    layout, pool = Layout({}, (0, 0, 0, 0), {}), ConstantPool(1)

    def program(rows: Affine) -> Op:
        return Op("AMAX", "best", {"rows": rows, "n": Affine(4)}, {"out": Ref("o", 1), "src": Ref("s", 1)})

    addresses = {"o": 0, "s": 100}
    with pytest.raises(EmitError, match=r"best: AMAX rows = LEN-1: a size has no negative part beside LEN and M"):
        emit([program(LEN - 1)], addresses, layout, pool)
    made, halt = emit([program(LEN + 3)], addresses, layout, pool)
    assert made.fields["rows"] == Dim(3, 1, 0) and halt.op == "HALT"
    assert emit([program(M + 0)], addresses, layout, pool)[0].fields["rows"] == Dim(0, 0, 1)


@given(st.integers(1, 20), st.integers(0, 6), st.sampled_from(["int8", "uint8"]), st.randoms(use_true_random=False))
def test_rows_are_unpacked_as_they_were_packed(width: int, rows: int, dtype: str, random) -> None:
    """Zeros fill the pitch."""
    symbol = Symbol("s", 0, 6, 24, width, dtype)
    low = -128 if dtype == "int8" else 0
    values = np.array([[low + random.randrange(256) for _ in range(width)] for _ in range(rows)]).reshape(rows, width)
    data = symbol.pack(values)
    assert len(data) == 24 * rows
    raw = np.frombuffer(data, np.uint8).reshape(rows, 24)
    assert np.array_equal(raw[:, :width], values % 256) and not raw[:, width:].any()
    found = symbol.unpack(data)
    assert np.array_equal(found, values) and found.dtype == dtype


def test_ids_are_little_endian_words() -> None:
    symbol = Symbol("ids", 0, 6, 8, 4, "id")
    data = symbol.pack([[1], [0x12345678]])
    assert data == bytes([1, 0, 0, 0, 0, 0, 0, 0, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0])
    assert symbol.unpack(data).tolist() == [[1], [0x12345678]] and symbol.pack(np.zeros((0, 1))) == b""


@lru_cache
def compiled(address: int = 0):
    return compile_graphs(load_config("base"), [first(), second()], RANGES, image_address=address)


def test_a_compiled_model_says_where_everything_lies() -> None:
    model, config = compiled(20_000), load_config("base")
    code = model.image.instructions
    windows, image_end = model.windows, 20_000 + len(model.image.memory_bytes())
    assert model.image_address == 20_000 and image_end <= windows[0].base < image_end + PAGE
    assert model.end == max(window.base + window.size for window in windows)
    assert compiled().image_address == 0 and compiled().windows[0].base < windows[0].base
    next_entry = 0
    for name, program in model.programs.items():
        assert model.entry(name) == program.entry == model.image.entries[name] == next_entry and program.name == name
        notes = [model.image.notes.get(program.entry + index) for index in range(len(program.instructions))]
        assert notes == [op.node for op in program.ops] + [None]
        next_entry += len(program.instructions)
    assert next_entry == len(code)
    layout, _ = laid_out("base")
    for name, program in model.programs.items():
        for symbol in program.inputs.values():
            item = layout.items[symbol.name]
            assert symbol.address == windows[item.window].base + item.offset * config.cols
        for key, symbol in program.outputs.items():
            item = layout.items["cache" if key == "appended" else f"{name}.{key}"]
            assert (symbol.address, symbol.rows, symbol.pitch) == (
                windows[item.window].base + item.offset * config.cols, item.rows, item.pitch * config.cols
            )  # fmt: skip
    kinds = {key: (symbol.dtype, symbol.row_bytes) for key, symbol in model.programs["first"].outputs.items()}
    assert kinds == {"appended": ("int8", 19), "choice": ("id", 4), "shares": ("uint8", 19), "best": ("id", 4)}
    assert model.programs["first"].inputs["ids"].dtype == "id" and set(model.caches) == {"cache"}
    assert set(model.programs["second"].inputs) == {"ids", "cache", "block", "more", "newer"}
    for item, data in layout.contents.items():
        place = layout.items[item]
        assert model.memory[windows[0].base + place.offset * config.cols] == data.tobytes()


def test_an_image_lies_at_zero_unless_another_place_is_named() -> None:
    work = finished(Work(load_config("base"), RANGES, (Unit(second()),), tuned=False))
    assert assembled(work).image_address == 0
    assert replace(assembled(work, 64), image_address=0).windows == assembled(work).windows


def test_a_program_needs_a_name_that_an_image_can_hold() -> None:
    graph = Graph("two words")
    graph.output("o", graph.copy(graph.input("x", M, 4)))
    with pytest.raises(ImageError, match="entry name 'two words'"):
        compile_graphs(load_config("nano"), [graph], {"x": 1.0})


def test_a_product_by_panels_has_a_constant_a_column_even_if_there_is_one() -> None:
    """By rows it has one for all columns, however many."""
    graph = Graph("narrow")
    x = graph.input("x", M, 4)
    graph.output("o", graph.matmul(x, graph.weight("w", np.ones((4, 1))), name="o"))
    graph.output("s", graph.scores(x, graph.weight("r", np.ones((5, 4))), name="s"))
    program = compile_graphs(load_config("nano"), [graph], {"x": 1.0, "o": 4.0, "s": 4.0}).programs["narrow"]
    products = {op.node: op for op in program.ops if op.opcode == "MM"}
    assert [(name, products[name].fields["uniform"], len(products[name].constants)) for name in "os"] == [
        ("o", 0, 1), ("s", 1, 1)
    ]  # fmt: skip
