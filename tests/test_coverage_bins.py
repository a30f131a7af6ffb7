# SPDX-License-Identifier: Apache-2.0
"""Functional coverage: bins follow from spec/, an independent look at random programs finds the same bins, and a
sampler that is wrong somewhere is noticed."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

import numpy as np
import pytest

from ga2.coverage.lists import LISTS
from ga2.golden.memory import Memory
from ga2.golden.resolve import Resolved, State, resolve
from ga2.isa.encoding import Dim, Ext, Instruction, Operand, encode
from ga2.spec import CONFIG_NAMES, ISA, REGISTERS, Config, load_config
from ga2.timing.ops import LdOp, MmOp, StOp, VecOp
from verif.coverage import burst_bins, dimension_bins, pair_bins, value_bins
from verif.coverage.context import OPERATIONS, Context, contexts, predicted
from verif.coverage.database import NAMES, POINTS
from verif.coverage.directed import BODIES, directed_program
from verif.coverage.instruction_bins import instruction_bins
from verif.coverage.observed_core import ObservedCore
from verif.programs.draw import draw_case
from verif.programs.program import IMAGE_ADDRESS, MEMORY_BYTES, Program

NANO = load_config("nano")


@lru_cache
def observed(program: Callable[[], Program], config: Config) -> tuple[Context, ...]:
    """Every instruction of a program in its place, on the golden core."""
    made, core, memory = program(), ObservedCore(config), Memory(MEMORY_BYTES)
    for address, data in [*made.memory.items(), (IMAGE_ADDRESS, made.image.memory_bytes())]:
        memory.write(address, data)
    core.load_image(memory, IMAGE_ADDRESS, len(made.image.instructions), len(made.image.constants))
    outcome = core.run(memory, made.windows, 0, made.length, made.m)
    events = predicted(config, outcome.resolved)
    return tuple(contexts(config, core.state, outcome.resolved, events, core.values))


@lru_cache
def random_contexts() -> tuple[Context, ...]:
    """Of some random programs and of the directed ones about bursts and external hazards."""
    found: list[Context] = []
    for settings, seed in (("edges", 1), ("collisions", 2), ("collisions", 3)):
        found += observed(draw_case(NANO, seed, settings).to_program, NANO)
    for name in ("bursts", "external", "windows"):
        found += observed(partial(directed_program, NANO, name), NANO)
    return tuple(found)


def words_of(resolved: Resolved, write: bool, external: bool) -> list[set[int]]:
    """The words, or bytes outside, between the ends of each operand."""
    if external:
        ext = resolved.ext
        return [set(range(ext.lo, ext.hi, 4))] if ext and ext.write == write else []
    return [set(range(each.lo, each.hi)) for each in resolved.operands if each.write == write]


def slow_hazards(new: Resolved, old: Resolved) -> set[str]:
    """Hazards by sets of words."""
    kinds = {"RAW": (False, True), "WAR": (True, False), "WAW": (True, True)}
    return {
        name
        for name, (news, olds) in kinds.items()
        for external in (False, True)
        for one in words_of(new, news, external)
        for other in words_of(old, olds, external)
        if one & other
    } or {"none"}


def slow_pairs(context: Context) -> set[str]:
    """The bins of `pair/hazard`, from sets of words and the predicted times."""
    found = set()
    for old, event in zip(context.older, context.events, strict=False):
        if not (old.no_op or context.resolved.no_op or context.resolved.halt):
            overlap = "together" if event.end > context.events[-1].allocated else "apart"
            names = f"{old.instruction.op} {context.op}"
            found |= {f"pair/hazard/{names} {hazard} {overlap}" for hazard in slow_hazards(context.resolved, old)}
    return found


def slow_edges(context: Context) -> set[str]:
    """The bins of `dimension/edge`, spelt out."""
    near = {"rows": NANO.rows, "m": NANO.rows, "n": NANO.cols, "k": NANO.cols, "len": NANO.cols, "words": 256}
    found = set()
    for name, value in context.resolved.dims.items():
        n = near[name]
        named = {0: "0", 1: "1", n - 1: "N-1", n: "N", n + 1: "N+1", 2 * n: "2N", 4095: "max"}
        if value == 0 or not context.resolved.no_op:
            found |= {f"dimension/edge/{context.op} {name} {named[value]}"} if value in named else set()
            found |= {f"dimension/edge/{context.op} {name} beyond 2N"} if value > 2 * n else set()
    return found & NAMES


def slow_rows(context: Context) -> set[str]:
    """The boundary of each row of a load or store, from the pages that its bytes lie in."""
    op, found = context.resolved.op, set()
    if isinstance(op, StOp) or (isinstance(op, LdOp) and not op.gather):
        for row in range(min(op.rows, burst_bins.ROWS_SAMPLED)):
            first = op.ext_addr + row * op.ext_pitch_bytes
            addresses = range(first, first + op.words * NANO.cols)
            pages = {address // 4096 for address in addresses}
            ends = addresses[-1] % 4096 == 4095
            found.add({1: "at" if ends else "before", 2: "across"}.get(len(pages), "across two"))
    return found


def found_by(point: str, bins: frozenset[str]) -> set[str]:
    return {name for name in bins if name.startswith(f"{point}/")}


def check_against_the_slow_look(some: Sequence[Context]) -> None:
    """AssertionError where the samplers and the independent look differ."""
    for context in some:
        bins = instruction_bins(context)
        assert bins <= NAMES
        assert found_by("pair/hazard", bins) == slow_pairs(context)
        assert found_by("dimension/edge", bins) == slow_edges(context)
        if context.op in ("LD", "ST"):
            assert {name.rpartition(", ")[2] for name in found_by("burst/row", bins)} == slow_rows(context)


def test_the_samplers_see_what_an_independent_look_sees() -> None:
    some = random_contexts()
    check_against_the_slow_look(some)
    seen = {name for context in some for name in found_by("pair/hazard", instruction_bins(context))}
    assert {name.split()[2] for name in seen} == {"RAW", "WAR", "WAW", "none"} and len(seen) > 100


def _without(hazard: str) -> Callable[[Resolved, Resolved], Iterator]:
    whole = pair_bins._sides
    return lambda new, old: (side for side in whole(new, old) if side[0] != hazard)


def _every_word_late(new: pair_bins.Interval, old: pair_bins.Interval, whole: Callable = pair_bins.shape) -> str | None:
    return whole(new, old) if new.lo != old.hi - 1 else "begins above"


BREAKS: dict[str, tuple[object, str, object]] = {
    "write after read is not seen": (pair_bins, "_sides", _without("WAR")),
    "read after write is not seen": (pair_bins, "_sides", _without("RAW")),
    "the last word of an interval is not seen": (pair_bins, "shape", _every_word_late),
    "external hazards are not seen": (pair_bins, "_external", lambda new, old: None),
    "together and apart change places": (pair_bins, "OVERLAPS", ("apart", "together")),
    "an edge is one too high": (dimension_bins, "around", lambda name, config: 5),
    "a burst's row ends one word early": (
        burst_bins,
        "row_class",
        lambda config, address, words, whole=burst_bins.row_class: whole(config, address, max(1, words - 1)),
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_sampler_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, attribute, broken = BREAKS[name]
    some = random_contexts()
    monkeypatch.setattr(module, attribute, broken)
    with pytest.raises(AssertionError):
        check_against_the_slow_look(some)


def placed(*instructions: Instruction, length: int = 0, m: int = 0) -> frozenset[str]:
    """The bins of the last of some instructions on nano, the one before it just ahead of it."""
    state = State(length, m, directed_program(NANO, "windows").windows)
    found = [resolve(encode(each), pc, NANO, state) for pc, each in enumerate(instructions)]
    program = [each for each in found if isinstance(each, Resolved)]
    assert program == found
    return instruction_bins(list(contexts(NANO, state, program, predicted(NANO, program)))[-1])


def vec(out: int, a: int, **fields: object) -> Instruction:
    return Instruction("VEC", {"rows": Dim(20), "n": Dim(4), "out": Operand(out, 1), "a": Operand(a, 1), **fields})


def test_a_read_after_a_write_and_its_neighbours() -> None:
    maker = Instruction("LD", {"rows": Dim(20), "words": Dim(1), "dst": Operand(100, 1), "ext": Ext(0, 1)})
    assert {"pair/hazard/LD VEC RAW together", "pair/shape/RAW equal"} <= placed(maker, vec(900, 100))
    assert "pair/shape/RAW last part" in placed(maker, vec(900, 119))
    beside = placed(maker, vec(900, 120))
    assert {"pair/hazard/LD VEC none together", "pair/shape/RAW begins above"} <= beside
    assert "pair/hazard/LD VEC RAW together" not in beside
    assert "pair/shape/RAW ends below" in placed(maker, vec(900, 80))


def test_a_hazard_long_over_is_apart() -> None:
    maker = Instruction("AMAX", {"rows": Dim(1), "n": Dim(1), "out": Operand(5, 1), "src": Operand(4, 1)})
    between = Instruction("LD", {"rows": Dim(0), "words": Dim(1)})
    found = placed(maker, *[between] * 6, vec(900, 0))
    assert "pair/hazard/AMAX VEC RAW apart" in found and "pair/hazard/AMAX VEC RAW together" not in found


def test_registers_and_affine_parts() -> None:
    found = placed(vec(900, 0, rows=Dim(1, 1, 2)), length=3, m=NANO.m_max)
    assert {"state/registers/LEN some M max", "dimension/affine/VEC rows several"} <= found
    assert not found_by("dimension/affine", placed(vec(900, 0, rows=Dim(1, 1, 1)))), "LEN and M are zero: nothing shows"


class Written(ObservedCore):
    """Also keeps (operation, bins of its bytes, bytes written) of each product and vector operation."""

    made: list[tuple]

    def _execute(self, resolved: Resolved, seq: int, record_writes: bool) -> tuple:
        result = super()._execute(resolved, seq, record_writes)
        op = resolved.op
        if isinstance(op, MmOp) or (isinstance(op, VecOp) and not op.amax):
            rows = op.m if isinstance(op, MmOp) else op.rows
            out = self.spad.rows("out", op.out, op.out_pitch, rows, -(-op.n // self.config.cols))[:, : op.n]
            self.made.append((op, self.values[-1], out.view(np.int8)))
        return result


def test_saturation_agrees_with_the_bytes_written() -> None:
    core, memory = Written(NANO), Memory(MEMORY_BYTES)
    core.made = []
    for seed in range(3):
        made = draw_case(NANO, seed, "edges").to_program()
        for address, data in [*made.memory.items(), (IMAGE_ADDRESS, made.image.memory_bytes())]:
            memory.write(address, data)
        core.load_image(memory, IMAGE_ADDRESS, len(made.image.instructions), len(made.image.constants))
        core.run(memory, made.windows, 0, made.length, made.m)
    judged = [each for each in core.made if each[0].hi - each[0].lo >= 4]
    assert len(judged) > 10
    for op, bins, out in judged:
        name = "MM" if isinstance(op, MmOp) else "VEC"
        clamps = {each.rpartition(f"{name} ")[2] for each in found_by("saturation/clamp", bins)}
        assert (op.hi in out) == bool(clamps & {"above", "at the top"})
        assert (op.lo in out) == bool(clamps & {"below", "at the bottom"})
        assert (op.hi - 1 in out) == ("below the top" in clamps)
        assert (op.lo + 1 in out) == ("above the bottom" in clamps)


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        (8, {"above"}),
        (7, {"at the top"}),
        (6, {"below the top"}),
        (0, {"inside"}),
        (-5, {"above the bottom"}),
        (-6, {"at the bottom"}),
        (-7, {"below"}),
    ],
)
def test_every_side_of_a_clamp(raw: int, names: set[str]) -> None:
    assert set(value_bins.clamps(np.array([raw]), -6, 7)) == names


def test_bins_follow_from_spec() -> None:
    assert POINTS["opcode/work"] == OPERATIONS
    assert {name.split()[0] for name in POINTS["opcode/configuration"]} == set(CONFIG_NAMES)
    dims = {f"{op} {each.name}" for op in OPERATIONS for each in ISA.instructions[op].fields if each.kind == "dim"}
    assert {name.rpartition(" ")[0] for name in POINTS["dimension/edge"] if " beyond" not in name} == dims
    assert set(LISTS.precise) == {name.split()[0] for name in POINTS["fault/precise"]}
    assert set(REGISTERS["ERROR"].fields) <= set(POINTS["fault/refused"])


ADDED = """
from ga2.spec import ISA
vec = ISA.instructions["VEC"]
ISA.instructions["NEG"] = vec.model_copy(update={"name": "NEG", "opcode": 0x42})
from verif.coverage.database import NAMES
assert {"opcode/work/NEG", "pair/hazard/NEG NEG WAW apart", "operand/place/NEG out last word"} <= NAMES
assert "dimension/edge/NEG rows N+1" in NAMES and "opcode/configuration/base NEG" in NAMES
"""


def test_an_opcode_added_to_the_isa_gets_bins() -> None:
    subprocess.run([sys.executable, "-c", ADDED], check=True, env={"PYTHONPATH": ":".join(filter(None, sys.path))})


@pytest.mark.parametrize("name", BODIES)
def test_directed_programs_end_well(name: str) -> None:
    for config in map(load_config, ("nano", "wide")):
        program = directed_program(config, name)
        last = observed(partial(directed_program, config, name), config)[-1]
        assert last.resolved.halt and last.resolved.pc == len(program.image.instructions) - 1
