# SPDX-License-Identifier: Apache-2.0
"""Broken compilers that the battery of graphs must see: each replaces one small function. All are green first."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from random import Random

import pytest

import capra.allocate
import capra.lower
import capra.place
import capra.plan
import capra.shapes
import capra.tune
import capra.verify
from capra import Affine, Graph, interpret
from capra.node import Node, Shape
from capra.place import Place, Placement
from ga2.slices.battery import check
from ga2.slices.case import Case, draw_case
from ga2.slices.recipe import Recipe, Run
from ga2.slices.steps import Steps
from ga2.slices.subject import compile_recipe
from ga2.spec import load_config

NANO = load_config("nano")
GRAPHS = range(100, 116)
Patch = pytest.MonkeyPatch


@lru_cache
def recipes() -> tuple[Recipe, ...]:
    """What the sound compiler gets right, drawn before anything is broken; and attention of which a row sees less."""
    attention = Steps(NANO, Random(3), fused=True)
    attention.store(attention.sliced_attention(3, odd=1))
    runs = (Run(5, 1), Run(0, 1))
    drawn = [draw_case(NANO, Case(seed)).recipe for seed in GRAPHS]
    return (*drawn, Recipe(3, tuple(attention.steps), runs))


def moved(patch: Patch, row: Callable[[Placement, Node], Affine]) -> None:
    """Every slice lies at another row of its buffer, and nobody checks it."""
    original = capra.place.place

    def place(graph, config):
        placement = original(graph, config)
        places = dict(placement.places)
        for node in graph.nodes:
            if node.op == "slice_rows":
                found = places[node.name]
                made = Placement(placement.buffers, places)
                places[node.name] = Place(found.buffer, row(made, node), found.pitch)
        return Placement(placement.buffers, places)

    patch.setattr(capra.plan, "place", place)
    patch.setattr(capra.verify, "verify_placement", lambda *_: None)


def start_off_by_one(patch: Patch) -> None:
    moved(patch, lambda placement, node: placement.of(node.inputs[0]).row + node.start + 1)


def start_forgotten(patch: Patch) -> None:
    moved(patch, lambda placement, node: placement.of(node.inputs[0]).row)


def first_offset_of_a_slice_of_a_slice_ignored(patch: Patch) -> None:
    def row(placement: Placement, node: Node) -> Affine:
        source = node.inputs[0]
        while source.op == "slice_rows":
            source = source.inputs[0]
        return placement.of(source).row + node.start

    moved(patch, row)


def start_with_the_m_of_another_block(patch: Patch) -> None:
    def row(placement: Placement, node: Node) -> Affine:
        return placement.of(node.inputs[0]).row + Affine(node.start.at(0, 2), node.start.a, 0)

    moved(patch, row)


def start_with_the_len_of_another_run(patch: Patch) -> None:
    def row(placement: Placement, node: Node) -> Affine:
        return placement.of(node.inputs[0]).row + Affine(node.start.at(16, 0), 0, node.start.b)

    moved(patch, row)


def source_dies_before_its_views(patch: Patch) -> None:
    """A use at another row than the buffer's first does not keep the buffer."""
    original = capra.allocate.lifetimes

    def lifetimes(program):
        spans = dict(original(program).spans)
        for name, (first, _) in spans.items():
            plain = [index for index, op in enumerate(program) for ref in op.operands.values()
                     if ref.buffer == name and ref.row == Affine()]  # fmt: skip
            spans[name] = (first, max(plain, default=first))
        return capra.allocate.Lifetimes(spans)

    patch.setattr(capra.allocate, "lifetimes", lifetimes)
    patch.setattr(capra.verify, "verify_allocation", lambda *_: None)


def scale_of_its_own(patch: Patch) -> None:
    original = Graph._append

    def untied(self, name, op, inputs, role, **rest):
        return original(self, name, op, inputs, None if op == "slice_rows" else role, **rest)

    patch.setattr(Graph, "_append", untied)


def prefix_one_row_too_long(patch: Patch) -> None:
    """A prefix that ends before its source's end takes one row more."""
    original = Graph.slice_rows

    def slice_rows(self, x, start, count, name=""):
        longer = x.shape.rows - start - count - 1
        return original(self, x, start, count + (start == Affine() and longer.never_negative()), name)

    patch.setattr(Graph, "slice_rows", slice_rows)


def any_prefix_is_a_causal_block(patch: Patch) -> None:
    patch.setattr(import_module("capra.causal"), "_is_prefix_row", lambda *_: True)


def a_block_sees_the_row_after_its_own(patch: Patch) -> None:
    original = capra.lower._Lowering.add

    def add(self, op, after):
        if op.opcode == "SM" and op.fields["step"]:
            dims = dict(op.dims) | {"len": op.dims["len"] + 1}
            op = replace(op, dims=dims, fields=dict(op.fields) | {"step": 0} if dims["len"] == dims["n"] else op.fields)
        return original(self, op, after)

    patch.setattr(capra.lower._Lowering, "add", add)


def source_not_loaded_before_its_view_is_used(patch: Patch) -> None:
    original = capra.lower._Lowering.made

    def made(self, *nodes):
        return original(self, *(node for node in nodes if node.op not in ("slice_rows", "input")))

    patch.setattr(capra.lower._Lowering, "made", made)


def shape_keeps_the_sources_rows(patch: Patch) -> None:
    patch.setitem(capra.shapes._RULES, "slice_rows", lambda node: node.inputs[0].shape)


def interpreter_takes_one_row_too_many(patch: Patch) -> None:
    def longer(graph, *rest):
        made: dict[Node, Node] = {}
        for node in graph.nodes:
            rows = node.shape.rows + (node.op == "slice_rows")
            inputs = tuple(made[operand] for operand in node.inputs)
            made[node] = replace(node, inputs=inputs, shape=Shape(rows, node.shape.cols))
        return interpret(Graph(graph.name, list(made.values()), graph.weights), *rest)

    patch.setattr("ga2.slices.battery.interpret", longer)


BROKEN = {
    "a slice starts one row late": start_off_by_one,
    "a slice starts with its source": start_forgotten,
    "a slice of a slice ignores the first offset": first_offset_of_a_slice_of_a_slice_ignored,
    "a start counts the M of another block": start_with_the_m_of_another_block,
    "a start counts the LEN of another run": start_with_the_len_of_another_run,
    "a source's buffer is reused while a slice of it is read": source_dies_before_its_views,
    "a view has a scale of its own": scale_of_its_own,
    "a prefix is one row too long": prefix_one_row_too_long,
    "any prefixes become a causal block": any_prefix_is_a_causal_block,
    "a row of a causal block sees the next one": a_block_sees_the_row_after_its_own,
    "a source is not loaded before its view is used": source_not_loaded_before_its_view_is_used,
    "a slice has as many rows as its source": shape_keeps_the_sources_rows,
    "the interpreter takes one row too many": interpreter_takes_one_row_too_many,
}


def first_caught() -> Iterator[str]:
    """What the battery says of each graph that it finds wrong."""
    for recipe in recipes():
        try:
            yield from check(compile_recipe(NANO, recipe)).problems
        except Exception as error:  # a broken compiler may also fall over
            yield f"{type(error).__name__}: {error}"


@pytest.fixture(autouse=True)
def fresh_plans(monkeypatch: Patch) -> None:
    """Plans that a sound compiler found are not those of a broken one."""
    monkeypatch.setattr(capra.tune, "_remembered", {})


def test_the_battery_is_green() -> None:
    assert not list(first_caught())


@pytest.mark.parametrize("what", BROKEN)
def test_the_battery_catches_a_compiler_in_which(what: str, monkeypatch: Patch) -> None:
    assert recipes()
    BROKEN[what](monkeypatch)
    assert next(first_caught(), None)
