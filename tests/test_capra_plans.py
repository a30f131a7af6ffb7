# SPDX-License-Identifier: Apache-2.0
"""What the tuner tries, measures and chooses; what a resident program must pass; and rules of single rewrites."""

import inspect
from collections.abc import Callable

import numpy as np
import pytest

from capra import LEN, EmitError, Graph, M, compile_graphs, fuse, quantise
from capra.estimate import NOMINAL_LEN
from capra.ops import Op
from capra.passes import run_passes
from capra.place import Placement
from capra.plan import scheduled, streamed
from capra.resident import compile_resident
from capra.rewrite import only_reader, prune
from capra.schedule import Timeline
from capra.tune import NOMINAL_BLOCKS, NOMINAL_CACHES, SMALL_PROGRAM, choices, choose, cycles
from capra.verify import VerifyError
from capra.work import Unit, Work
from ga2.golden.resolve import Resolved, State, resolve
from ga2.spec import CONFIG_NAMES, load_config
from ga2.timing.model import timeline

NANO = load_config("nano")


def layers(*widths: int) -> Graph:
    """A product after the other, each of so many columns."""
    rng, graph = np.random.default_rng(2), Graph("layers")
    node = graph.input("x", M, 16)
    for index, width in enumerate(widths):
        rows = node.shape.cols.imm
        node = graph.matmul(node, graph.weight(f"W{index}", rng.normal(0, 0.2, (rows, width))), name=f"y{index}")
    graph.output("out", node)
    return graph


def until(name: str, graph: Graph) -> Work:
    """The work that the passes up to this one have seen."""
    work = Work(NANO, {node.role: 2.0 for node in graph.nodes}, (Unit(graph),))
    return next(made for each, made in run_passes(work) if each.name == name)


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_weights_are_loaded_ahead_by_the_scratchpad_the_bank_a_quarter_of_it_or_not_at_all(config: str) -> None:
    machine = load_config(config)
    tried = list(choices(machine, layers(16)))
    bank = machine.spad_words // machine.banks
    assert {each.prefetch_words for each in tried} == {machine.spad_words, bank, bank // 4, 0}
    assert len(set(tried)) == len(tried) and tried[0].variant == 0 == tried[-1].variant


def test_what_a_plan_is_measured_on() -> None:
    """A plain step and a block as tall as the smallest array; caches evenly around the usual one."""
    assert NOMINAL_BLOCKS == (1, min(load_config(config).rows for config in CONFIG_NAMES))
    assert NOMINAL_CACHES[0] + NOMINAL_CACHES[-1] == 2 * NOMINAL_LEN and NOMINAL_LEN in NOMINAL_CACHES
    assert NOMINAL_CACHES[0] == NANO.rows


def test_cycles_are_those_of_the_finished_image() -> None:
    """Resolved in the windows of the compiled model, for one row and for four on 16 cached ones, and added."""
    graph = layers(16)
    model = compile_graphs(NANO, [graph], {node.role: 2.0 for node in graph.nodes})
    total = 0
    for m in (1, 4):
        state = State(16, m, model.windows)
        resolved = [resolve(word, pc, NANO, state) for pc, word in enumerate(model.image.instructions)]
        total += timeline(NANO, [each for each in resolved if isinstance(each, Resolved)]).finish
    work = until("emit", graph)
    assert cycles(work, work.units[0]) == total


def names(program: list[Op]) -> tuple:
    return tuple((op.opcode, op.node) for op in program)


def test_every_plan_that_differs_is_measured_once_and_the_fastest_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The timing model is asked for no other; here it finds the one before the last the fastest."""
    work = until("lower", layers(64, 64))
    [unit] = work.units
    plans = []
    for choice in choices(NANO, unit.graph):
        ordered = scheduled(work, streamed(work, Unit(unit.graph, unit.placement, choice, unit.lowered)))
        plans.append((choice.variant, names(ordered.timeline.program)))
    distinct = list(dict.fromkeys(plans))
    assert len({program for _, program in distinct}) > 1 and len(distinct) < len(plans)
    measured: list[Unit] = []

    def fake(_work: Work, built: Unit) -> int:
        measured.append(built)
        return 5 if len(measured) == len(distinct) - 1 else 100 - len(measured)

    monkeypatch.setattr("capra.tune.cycles", fake)
    chosen = choose(work, unit)
    assert [(each.choice.variant, names(each.timeline.program)) for each in measured] == distinct
    assert chosen == measured[-2].choice


@pytest.mark.parametrize(("more", "measured"), [(0, False), (1, True)])
def test_a_small_program_has_nothing_to_choose(more: int, measured: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen operations: a load of x, seven panels with a product each, a store; one store more is one too many."""
    graph = layers(28)
    for _ in range(more):
        graph.output("x", graph.node("x"))
    work = until("lower", graph)
    assert len(work.units[0].lowered.ops) == SMALL_PROGRAM + more == 16 + more
    asked: list[Unit] = []

    def fake(_work: Work, built: Unit) -> int:
        asked.append(built)
        return 1

    monkeypatch.setattr("capra.tune.cycles", fake)
    assert choose(work, work.units[0]) == next(choices(NANO, graph))
    assert bool(asked) == measured


def test_a_work_asks_for_what_the_driver_asks_for() -> None:
    given = inspect.signature(compile_graphs).parameters
    work = Work(NANO, {}, ())
    assert (work.tuned, work.per_column) == (given["tuned"].default, given["per_column"].default) == (True, True)


def test_as_many_instructions_as_the_memory_holds() -> None:
    graph = layers(16)
    ranges = {node.role: 2.0 for node in graph.nodes}
    count = len(compile_graphs(NANO, [graph], ranges, tuned=False).image.instructions)
    compile_graphs(NANO.model_copy(update={"imem_depth": count}), [graph], ranges, tuned=False)
    with pytest.raises(EmitError, match=f"^{count} instructions, but nano holds {count - 1}$"):
        compile_graphs(NANO.model_copy(update={"imem_depth": count - 1}), [graph], ranges, tuned=False)


SPOILT: dict[str, tuple[str, Callable[..., object]]] = {
    "comes before": ("capra.resident.schedule", lambda rest, *_: Timeline(rest.ops[::-1], {}, {})),
    "overlap while both are alive": ("capra.resident.allocate", lambda _ops, buffers, *_: dict.fromkeys(buffers, 0)),
    "has no place": ("capra.plan.place", lambda *_: Placement({}, {})),
}


@pytest.mark.parametrize("says", SPOILT)
def test_a_resident_program_passes_the_same_checks(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = layers(16)
    ranges = {node.role: 2.0 for node in graph.nodes}
    assert set(compile_resident(NANO, graph, ranges).programs) == {"load_weights", "layers"}
    monkeypatch.setattr(*SPOILT[says])
    with pytest.raises(VerifyError, match=says):
        compile_resident(NANO, graph, ranges)


def test_a_rewrite_may_take_away_what_one_node_reads_and_no_output_stores() -> None:
    graph = Graph("g")
    x = graph.input("x", M, 16)
    once, twice, stored, unread = (graph.copy(x, name=name) for name in ("once", "twice", "stored", "unread"))
    for node in (once, twice, twice, stored):
        graph.copy(node)
    graph.output("stored", stored)
    graph.output("unread", unread)
    assert [only_reader(graph, node) for node in (once, twice, stored, unread)] == [True, False, False, False]


def test_a_cache_that_is_only_appended_to_is_kept() -> None:
    graph = Graph("g")
    cache = graph.input("cache", LEN, 16, kind="cache", role="x")
    graph.output("row", graph.input("x", M, 16), cache=cache)
    assert [node.name for node in prune(graph).nodes] == ["cache", "x"]


def test_a_product_of_exponentials_takes_no_residual() -> None:
    """Its rows' multipliers have the place of one."""
    graph = Graph("g")
    x, values = graph.input("x", M, 16), graph.input("values", M, 16)
    weights = graph.softmax(graph.scores(x, graph.copy(x)))
    graph.output("sum", graph.add(x, graph.matmul(weights, values), name="sum"))
    assert fuse(graph).node("sum").op == "add"


def test_a_role_of_zeros_has_a_scale_all_the_same() -> None:
    assert quantise([], {"zeros": 0.0, "half": 63.5}).scales == {"zeros": 1.0, "half": 0.5}
