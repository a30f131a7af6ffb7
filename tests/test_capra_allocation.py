# SPDX-License-Identifier: Apache-2.0
"""The allocator against its rules, written down once more as plainly as they can be: drawn programs, drawn placements.

A drawn program has buffers of many sizes and operations of every unit, and nothing of a model.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pytest

from capra import LEN, Affine, AllocationError, M
from capra.allocate import (
    NEARBY,
    PORT_COST,
    RESTARTS,
    SWEEPS,
    _Allocator,
    allocate,
    bank_exclusions,
    lifetimes,
    lowest_starts,
    port_rivals,
)
from capra.ops import Op, Ref
from capra.place import Buffer
from capra.verify import verify_allocation
from ga2.spec import ISA, load_config

NANO = load_config("nano")
BANK = NANO.spad_words // NANO.banks
NOMINAL = (16, 1)
"""LEN and M of the block that costs are counted for."""
OPERANDS = {"LD": ("dst",), "ST": ("src",), "AMAX": ("out", "src"), "VEC": ("out", "a", "b"),
            "SM": ("dst", "src", "rmul"), "MM": ("out", "left", "right"), "LDG": ("dst", "ids")}  # fmt: skip
SIZES = (Affine(1), Affine(40), Affine(130), Affine(300), M, M - 1, LEN + M)
SEEDS = range(10)


def touched(op: Op, access: str) -> list[str]:
    """Buffers that an operation reads, or writes."""
    fields = {field.name for field in ISA.instructions[op.opcode].fields if field.access == access}
    return [ref.buffer for name, ref in op.operands.items() if name in fields]


def operation(opcode: str, *buffers: str, row: Affine = Affine(), word: int = 0) -> Op:
    """Operands in the order of `OPERANDS`, the last one at a row and a word of its buffer."""
    refs = [*(Ref(name, 2) for name in buffers[:-1]), Ref(buffers[-1], 2, row, word)]
    return Op(opcode, f"{opcode} {' '.join(buffers)}", {}, dict(zip(OPERANDS[opcode], refs, strict=True)))


def drawn(seed: int, count: int = 9, length: int = 22) -> tuple[list[Op], dict[str, Buffer]]:
    rng = np.random.default_rng(seed)
    names = [f"b{index}" for index in range(count)]
    buffers = {name: Buffer(name, SIZES[rng.integers(len(SIZES))], int(rng.integers(1, 3))) for name in names}
    program = []
    for _ in range(length):
        opcode = str(rng.choice(list(OPERANDS)))
        chosen = rng.permutation(names)[: len(OPERANDS[opcode])]
        row, word = (Affine(), LEN + M - 1, Affine(int(rng.integers(3))))[rng.integers(3)], int(rng.integers(2))
        program.append(operation(opcode, *map(str, chosen), row=row, word=word))
    return program, buffers


def span(program: Sequence[Op], name: str) -> range:
    """The indices at which a buffer is alive."""
    uses = [index for index, op in enumerate(program) if any(ref.buffer == name for ref in op.operands.values())]
    return range(uses[0], uses[-1] + 1)


def meet(one: range, other: range) -> bool:
    return max(one.start, other.start) < min(one.stop, other.stop)


def distance(program: Sequence[Op], one: str, other: str) -> int:
    first, second = span(program, one), span(program, other)
    return max(second.start - first[-1], first.start - second[-1])


def conflicts(program: Sequence[Op]) -> Counter[tuple[str, str]]:
    """How often two units that run side by side need one port of the bank that both buffers lie in."""
    found: Counter[tuple[str, str]] = Counter()
    for index, op in enumerate(program):
        for later in program[index + 1 : index + 1 + NANO.window_slots]:
            for access in ("read", "write") if later.unit != op.unit else ():
                for one in touched(op, access):
                    for other in touched(later, access):
                        found[one, other] += 1
                        found[other, one] += 1
    return found


def read_together(program: Sequence[Op], one: str, other: str) -> bool:
    for op in program:
        if op.opcode in ("MM", "VEC") and {one, other} <= set(touched(op, "read")):
            return True
    return False


def least_start(program: Sequence[Op], name: str) -> int:
    """The lowest word at which no operand's base is below 0, for the imm of its row is part of the base."""
    refs = [ref for op in program for ref in op.operands.values() if ref.buffer == name]
    return max(0, *(-ref.word - ref.row.imm * ref.pitch for ref in refs))


class Rules:
    """The rules of `capra.allocate`, each a sentence of its docstrings."""

    def __init__(self, program: Sequence[Op], buffers: Mapping[str, Buffer]) -> None:
        self.program, self.buffers = program, buffers
        self.names = [name for name in buffers if any(name == r.buffer for op in program for r in op.operands.values())]
        pairs = [(one, other) for one in self.names for other in self.names if one != other]
        self.lowest = {name: least_start(program, name) for name in self.names}
        self.together = {pair for pair in pairs if meet(span(program, pair[0]), span(program, pair[1]))}
        self.apart = {pair for pair in pairs if read_together(program, *pair)}
        ports = conflicts(program)
        self.port = {pair: PORT_COST * ports[pair] for pair in pairs}
        self.reuse = {pair: max(0, NANO.window_slots + 1 - distance(program, *pair)) for pair in pairs}

    def words(self, name: str, start: int) -> range:
        rows = self.buffers[name].rows.largest(NANO.max_len, NANO.m_max)
        return range(start, start + rows * self.buffers[name].pitch)

    def usual(self, name: str, start: int) -> range:
        """Words in the nominal block: one at least, and no others than its own."""
        rows = self.buffers[name].rows.at(*NOMINAL)
        words = self.words(name, start)
        return words[: max(1, rows * self.buffers[name].pitch)]

    def share_a_bank(self, one: range, other: range) -> bool:
        banks = [range(words[0] // BANK, words[-1] // BANK + 1) for words in (one, other)]
        return meet(*banks)

    def fits(self, name: str, start: int, placed: Mapping[str, int]) -> bool:
        ours = self.words(name, start)
        if start < self.lowest[name] or ours[-1] >= NANO.spad_words:
            return False
        for other, base in placed.items():
            theirs = self.words(other, base)
            if (name, other) in self.together and meet(ours, theirs):
                return False
            if (name, other) in self.apart and self.share_a_bank(ours, theirs):
                return False
        return True

    def cost(self, name: str, start: int, placed: Mapping[str, int]) -> int:
        total = 0
        for other, base in placed.items():
            port, reuse = self.port[name, other], self.reuse[name, other]
            if port and self.share_a_bank(self.usual(name, start), self.usual(other, base)):
                total += port
            if reuse and meet(self.words(name, start), self.words(other, base)):
                total += reuse
        return total

    def candidates(self, placed: Mapping[str, int]) -> list[int]:
        bottoms = {0, *self.lowest.values()}
        ends = {base + len(self.words(name, base)) for name, base in placed.items()}
        return sorted(bottoms | ends | {bank * BANK for bank in range(NANO.banks)})

    def best(self, name: str, placed: Mapping[str, int], use_cost: bool) -> int | None:
        """The cheapest start that breaks no rule, the lowest of equals."""
        found = [start for start in self.candidates(placed) if self.fits(name, start, placed)]
        return min(found, key=lambda start: self.cost(name, start, placed) * use_cost, default=None)


def allocator(program: Sequence[Op], buffers: Mapping[str, Buffer]) -> _Allocator:
    return _Allocator(program, buffers, NANO, 0)


def test_operations_run_side_by_side_in_the_window() -> None:
    assert NANO.window_slots == NEARBY


def test_a_port_shared_once_weighs_as_much_as_words_reused_at_once() -> None:
    """One buffer written by a unit right after another read it, in its words: 8. Two ports of a bank met once: 8."""
    reused = [operation("ST", "old"), operation("LD", "new")]
    near = [operation("LD", "one"), operation("AMAX", "two", "in")]
    buffers = {name: Buffer(name, Affine(4), 1) for name in ("old", "new", "one", "two", "in")}
    costs = []
    for program, name, other in ((reused, "new", "old"), (near, "two", "one")):
        made = allocator(program, buffers)
        costs.append(made.cost(name, 0, made.near(name, {other: 0 if name == "new" else 4})))
    assert costs[0] == costs[1] > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_what_holds_between_two_buffers(seed: int) -> None:
    program, buffers = drawn(seed)
    rules = Rules(program, buffers)
    life, apart, rivals = lifetimes(program), bank_exclusions(program), port_rivals(program)
    assert set(life.spans) == set(rules.names) and lowest_starts(program) == rules.lowest
    for one in rules.names:
        assert life.spans[one] == (span(program, one).start, span(program, one)[-1])
        for other in rules.names:
            if one != other:
                assert life.together(one, other) == ((one, other) in rules.together)
                assert life.distance(one, other) == distance(program, one, other)
                assert (other in apart[one]) == ((one, other) in rules.apart)
                assert PORT_COST * rivals[one][other] == rules.port[one, other]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_start_is_the_cheapest_that_breaks_no_rule(seed: int) -> None:
    """Every buffer in turn, beside drawn places of some of the others: a bank's bottom, an end, or anywhere."""
    program, buffers = drawn(seed)
    rules, made = Rules(program, buffers), allocator(program, buffers)
    rng = np.random.default_rng(seed)
    for name in rules.names:
        others = [other for other in rules.names if other != name and rng.random() < 0.7]
        placed = {other: int(rng.choice([BANK * rng.integers(8), rng.integers(3000), 0])) for other in others}
        near = made.near(name, placed)
        assert made.candidates(placed) == rules.candidates(placed)
        for start in rules.candidates(placed):
            assert made.fits(name, start, near) == rules.fits(name, start, placed), (name, start, placed)
            assert made.cost(name, start, near) == rules.cost(name, start, placed), (name, start, placed)
        for use_cost in (False, True):
            assert made.best_start(name, placed, near, use_cost) == rules.best(name, placed, use_cost)


def test_a_search_ends_early_at_no_cost_alone() -> None:
    """At the bottom there is a stall of one cycle, behind it there is none."""
    fillers = [operation("LD", f"f{index}") for index in range(NEARBY - 1)]
    program = [operation("ST", "old"), *fillers, operation("LD", "new")]
    buffers = {name: Buffer(name, Affine(4), 1) for name in ("old", "new", *(f"f{i}" for i in range(NEARBY - 1)))}
    made = allocator(program, buffers)
    near = made.near("new", {"old": 0})
    assert made.cost("new", 0, near) == 1 and made.cost("new", 4, near) == 0
    assert made.best_start("new", {"old": 0}, near, use_cost=True) == 4
    assert made.best_start("new", {"old": 0}, near, use_cost=False) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_placement_is_improved_one_buffer_at_a_time(seed: int) -> None:
    """To its cheapest place among the others, if that is cheaper than where it is; the largest buffer first."""
    program, buffers = drawn(seed, count=6)
    rules, made = Rules(program, buffers), allocator(program, buffers)
    assert all(len(rules.words(one, 0)) >= len(rules.words(two, 0)) for one, two in pairwise(made.order))
    placed, failed = made.try_order(made.order, use_cost=False)
    if failed is not None:
        return
    expected = dict(placed)
    for _ in range(SWEEPS):
        for name in made.order:
            others = {other: base for other, base in expected.items() if other != name}
            start = rules.best(name, others, use_cost=True)
            if start is not None and rules.cost(name, start, others) < rules.cost(name, expected[name], others):
                expected[name] = start
    assert made.improve(placed) == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_what_fits_is_sound(seed: int) -> None:
    """Whichever variant; the first is the one that is taken if none is named."""
    program, buffers = drawn(seed, count=6)
    try:
        found = [allocate(program, buffers, NANO, variant) for variant in range(3)]
    except AllocationError:
        return
    for addresses in found:
        verify_allocation(program, buffers, addresses, NANO)
    assert allocate(program, buffers, NANO) == found[0]


def test_variants_differ() -> None:
    differing = 0
    for seed in SEEDS:
        program, buffers = drawn(seed, count=5, length=8)
        differing += allocate(program, buffers, NANO) != allocate(program, buffers, NANO, 1)
    assert differing


class Failing(_Allocator):
    """An allocator for whose buffer `late` there is never a place. orders: those it tried, and whether by cost."""

    orders: list[tuple[list[str], bool]]

    def try_order(self, order: Sequence[str], use_cost: bool) -> tuple[dict[str, int], str | None]:
        self.orders.append((list(order), use_cost))
        return {}, order[-1]


def test_a_buffer_that_finds_no_place_moves_to_the_front() -> None:
    """By cost, as often as there are restarts, then the first fit, from the first order again; then it is told."""
    names = ("a", "b", "c")
    buffers = {name: Buffer(name, Affine(index + 1), 1) for index, name in enumerate(names)}
    made = Failing([operation("LD", name) for name in names], buffers, NANO, 0)
    made.orders = []
    with pytest.raises(AllocationError, match="^[abc]: its [123] words find no place"):
        made.run()
    by_cost, first_fit = ([order for order, use_cost in made.orders if use_cost == wanted] for wanted in (True, False))
    assert [use_cost for _, use_cost in made.orders] == [True] * RESTARTS + [False] * RESTARTS
    assert by_cost == first_fit and by_cost[0] == ["c", "b", "a"]
    assert all(later == [order[-1], *order[:-1]] for order, later in pairwise(by_cost))


def test_a_refusal_names_what_is_in_the_way() -> None:
    large = {name: Buffer(name, Affine(rows), 2) for name, rows in (("x", 3000), ("y", 20), ("z", 30), ("later", 4))}
    program = [operation("LD", "y"), operation("LD", "z"), operation("MM", "z", "x", "y"), operation("LD", "later")]
    with pytest.raises(AllocationError) as caught:
        allocate(program, large, NANO)
    assert str(caught.value) == (
        "x: its 6000 words find no place in the 4096 words of nano; alive at the same time: z (60 words), "
        "y (40 words); bank-disjoint from: y"
    )
    with pytest.raises(AllocationError) as caught:
        allocate([operation("LD", "x")], large, NANO)
    assert str(caught.value) == (
        "x: its 6000 words find no place in the 4096 words of nano; alive at the same time: nothing; "
        "bank-disjoint from: nothing"
    )


def test_a_buffer_read_twice_by_one_operation_is_named() -> None:
    """The left operand of a product is its addend too."""
    refs = {"out": Ref("o", 1), "left": Ref("a", 1), "right": Ref("w", 1), "aux": Ref("a", 1)}
    with pytest.raises(AllocationError) as caught:
        bank_exclusions([Op("MM", "sum", {}, refs)])
    assert str(caught.value) == (
        "sum: MM reads buffer a twice, from one bank port; take an explicit copy() of one of the operands")


def test_words_of_the_nominal_block_never_are_none() -> None:
    """M - 1 rows are none then: the buffer's bank counts as used all the same, and no more than its own words."""
    program = [operation("LD", name) for name in ("none", "one", "many")]
    buffers = {"none": Buffer("none", M - 1, 3), "one": Buffer("one", Affine(1), 1), "many": Buffer("many", LEN + M, 2)}
    assert allocator(program, buffers).usual == {"none": 1, "one": 1, "many": 34}
