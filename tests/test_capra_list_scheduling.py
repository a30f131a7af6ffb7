# SPDX-License-Identifier: Apache-2.0
"""The list scheduler and the chunks of `stream` against their rules, written down once more: drawn operations.

A drawn program has operations of every unit with small sizes, so that many could start in the same cycle.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from capra import Affine
from capra.estimate import Estimate, estimate
from capra.lower import Lowered
from capra.ops import Op
from capra.schedule import Timeline, schedule, tails, topological
from capra.stream import chunk_limit, coarse_chunks
from capra.verify import verify_order
from ga2.spec import load_config

NANO = load_config("nano")
SEEDS = range(16)


def operation(kind: str, number: int, sizes: Sequence[int]) -> Op:
    """Products come in twos of one node, as the chunks of a weight do."""
    one, two, three = map(Affine, sizes)
    if kind == "chunk":
        return Op("LD", f"w[{number}]", {"rows": Affine(1), "words": Affine(4 * sizes[0])}, {}, weight="w")
    if kind == "MM":
        return Op("MM", f"p{number // 2}", {"m": one, "n": two, "k": three}, {})
    if kind in ("LD", "LDG", "ST"):
        return Op(kind, f"{kind}{number}", {"rows": one, "words": two}, {})
    return Op(kind, f"{kind}{number}", {"rows": one, "n": two}, {})


def drawn(seed: int, count: int = 16) -> Lowered:
    rng = np.random.default_rng(seed)
    kinds = ["chunk", "chunk", "chunk", "MM", "MM", "MM", "LD", "LDG", "ST", "SM", "VEC", "VEC", "AMAX"]
    ops: list[Op] = []
    after: dict[Op, set[Op]] = {}
    for number in range(count):
        kind = str(rng.choice(kinds))
        op = operation(kind, number, [int(size) for size in rng.integers(1, 6, 3)])
        most = 0 if kind == "chunk" else min(len(ops), 2)
        after[op] = {ops[index] for index in rng.permutation(len(ops))[: rng.integers(0, most + 1)]}
        ops.append(op)
    shuffled = [ops[index] for index in rng.permutation(count)]
    return Lowered(shuffled, {op: after[op] for op in shuffled}, {})


def estimates(lowered: Lowered) -> dict[Op, Estimate]:
    return {op: estimate(op, NANO) for op in lowered.ops}


def ways(lowered: Lowered, least: Mapping[Op, int]) -> dict[Op, int]:
    """From the end of each operation's unit time to the program's end: its latency and what follows it. A product that
    is followed by another one of its node is followed by it without latency."""
    cost, order = estimates(lowered), topological(lowered)
    found: dict[Op, int] = {}

    def way(op: Op) -> int:
        if op not in found:
            readers = [cost[each].busy + way(each) for each in order if op in lowered.after[each]]
            lengths = [cost[op].latency + max(readers, default=0), least.get(op, 0)]
            later = order[order.index(op) + 1 :] if op.opcode == "MM" else []
            chunks = [each for each in later if (each.opcode, each.node) == ("MM", op.node)]
            lengths += [cost[chunk].busy + way(chunk) for chunk in chunks[:1]]
            found[op] = max(lengths)
        return found[op]

    return {op: way(op) for op in order}


def expected_tails(lowered: Lowered) -> dict[Op, int]:
    """Products queue for the matrix unit, those of the node with the longest way first."""
    cost, data = estimates(lowered), ways(lowered, {})
    order = topological(lowered)
    urgency = {op.node: max(data[each] + cost[each].busy for each in order if each.node == op.node) for op in order}
    queue = sorted((op for op in order if op.unit == "matrix"), key=lambda op: -urgency[op.node])
    least: dict[Op, int] = {}
    for op, after in reversed([*zip(queue, [*queue[1:], None], strict=False)]):
        least[op] = max(data[op], 0 if after is None else least[after] + cost[after].busy)
    return ways(lowered, least)


class Rules:
    """What may be issued next, from what has been issued, in the words of `capra.schedule`."""

    def __init__(self, lowered: Lowered, prefetch: int, patience: int) -> None:
        self.lowered, self.prefetch, self.patience = lowered, prefetch, patience
        self.cost, self.tails = estimates(lowered), expected_tails(lowered)
        self.start: dict[Op, int] = {}
        self.done: dict[Op, int] = {}
        self.free: dict[str, int] = {}

    def earliest(self, op: Op) -> int:
        """Its inputs are there, and its unit is free; a load is issued a latency before the bus is."""
        inputs = [self.done[before] for before in self.lowered.after[op]]
        return max(0, *inputs, self.taken(op, self.free.get(op.unit, 0)))

    def taken(self, op: Op, free: int) -> int:
        return free - self.cost[op].latency * (op.unit == "load")

    def over(self, op: Op, begin: int) -> int:
        """When its unit is free again; for a load the bus, which brings one load's data after the other's."""
        if op.unit == "load":
            return max(begin + self.cost[op].latency, self.free.get("load", 0)) + self.cost[op].busy
        return begin + self.cost[op].busy

    def words(self, op: Op) -> int:
        return op.dims["words"].imm if op.weight else 0

    def unused(self) -> int:
        """Words of weights that are there and that some product has yet to use."""
        waiting = {before for op in self.lowered.ops if op not in self.start for before in self.lowered.after[op]}
        return sum(self.words(op) for op in self.start if op in waiting)

    def expected(self, op: Op) -> int:
        """When the inputs are there if nothing that makes them waits for its unit."""
        made = [self.done[before] if before in self.done
                else self.expected(before) + self.cost[before].busy + self.cost[before].latency
                for before in self.lowered.after[op]]  # fmt: skip
        return max(made, default=0)

    def gives_way(self, op: Op) -> bool:
        """Something more urgent of the unit would be held up, and can start within the patience."""
        begin = self.earliest(op)
        for other in self.lowered.ops:
            if other not in self.start and other.unit == op.unit and self.tails[other] > self.tails[op]:
                at = self.expected(other)
                if begin < at <= begin + self.patience and at < self.taken(other, self.over(op, begin)):
                    return True
        return False

    def choice(self) -> Op:
        """The first to start; of those the one with the longest tail; of those the first in the lowered program."""
        ready = [op for op in self.lowered.ops if op not in self.start and self.lowered.after[op] <= self.done.keys()]
        unused = self.unused()
        within = [op for op in ready
                  if not self.words(op) or not unused or unused + self.words(op) <= self.prefetch]  # fmt: skip
        allowed = [op for op in within if not self.gives_way(op)] or ready
        return min(allowed, key=lambda op: (self.earliest(op), -self.tails[op], self.lowered.ops.index(op)))

    def issue(self, op: Op) -> None:
        begin = self.earliest(op)
        self.start[op], self.free[op.unit] = begin, self.over(op, begin)
        self.done[op] = self.free[op.unit] + self.cost[op].latency * (op.unit != "load")


@pytest.mark.parametrize("seed", SEEDS)
def test_tails(seed: int) -> None:
    lowered = drawn(seed)
    assert tails(lowered, estimates(lowered)) == expected_tails(lowered)


@pytest.mark.parametrize(("prefetch", "patience"), [(0, 0), (24, 0), (10_000, 0), (24, 6), (10_000, 20), (10_000, 60)])
@pytest.mark.parametrize("seed", SEEDS)
def test_each_operation_is_the_one_that_the_rules_choose(seed: int, prefetch: int, patience: int) -> None:
    lowered = drawn(seed)
    line = schedule(lowered, NANO, prefetch, patience)
    verify_order(line.program, lowered)
    rules = Rules(lowered, prefetch, patience)
    for number, op in enumerate(line.program):
        chosen = rules.choice()
        assert op is chosen, f"{number}: {op.node}, not {chosen.node}"
        rules.issue(op)
    assert (dict(line.start), dict(line.done)) == (rules.start, rules.done)


def test_patience_is_none_unless_it_is_asked_for() -> None:
    differing = 0
    for seed in SEEDS:
        lowered = drawn(seed)
        assert schedule(lowered, NANO, 24).program == schedule(lowered, NANO, 24, 0).program
        differing += schedule(lowered, NANO, 24, 1).program != schedule(lowered, NANO, 24, 0).program
    assert differing


def test_the_first_to_start_is_next_however_urgent_the_other() -> None:
    """The second load's data come a cycle after the first's; the vector operation on it has more behind it. The first
    load is first because a softmax waits for it."""
    loads = [operation("LD", number, (1, 1, 1)) for number in range(2)]
    early, late = operation("VEC", 2, (1, 1, 1)), operation("VEC", 3, (1, 1, 1))
    stored, softmax = operation("ST", 4, (5, 5, 1)), operation("SM", 5, (5, 5, 1))
    after: dict[Op, set[Op]] = {loads[0]: set(), loads[1]: set()}
    after |= {early: {loads[0]}, late: {loads[1]}, stored: {late}, softmax: {loads[0]}}
    lowered = Lowered(list(after), after, {})
    line = schedule(lowered, NANO, 0)
    found = expected_tails(lowered)
    assert found[late] > found[early]
    first, second = sorted((early, late), key=line.program.index)
    ready = {op: max(line.done[before] for before in after[op]) for op in (early, late)}
    assert ready[late] == ready[early] + 1 and (first, second) == (early, late)


def test_a_weight_that_no_product_waits_for_is_not_held_back() -> None:
    """Within the limit or not: nothing would ever use up what is there."""
    chunks = [operation("chunk", number, (5, 1, 1)) for number in range(3)]
    lowered = Lowered(chunks, {op: set() for op in chunks}, {})
    assert len(schedule(lowered, NANO, 0).program) == 3


@pytest.mark.parametrize("seed", SEEDS)
def test_panels_that_are_there_when_the_first_of_them_is_used_travel_together(seed: int) -> None:
    """Two weights of panels of 3 words; every panel is used by one or two products. Drawn times, drawn limits."""
    rng = np.random.default_rng(seed)
    panels = {name: [Op("LD", f"{name}[{i}]", {"rows": Affine(1), "words": Affine(3)}, {}, weight=name)
                     for i in range(6)] for name in ("v", "w")}  # fmt: skip
    loads = [op for each in panels.values() for op in each]
    uses = {load: [Op("MM", f"{load.node} {i}", {}, {}) for i in range(rng.integers(1, 3))] for load in loads}
    products = [op for each in uses.values() for op in each]
    after: dict[Op, set[Op]] = {op: set() for op in loads} | {op: {load} for load in loads for op in uses[load]}
    start = {op: int(rng.integers(0, 12)) for op in products}
    done = {op: index % 6 * 2 for index, op in enumerate(loads)}
    limit = int(rng.choice([0, 3, 6, 8, 9, 100]))
    found = coarse_chunks(Lowered([*loads, *products], after, {}), Timeline([], start, done), limit)
    for name, each in panels.items():
        expected = [[each[0]]]
        for panel in each[1:]:
            first_use = min(start[op] for op in uses[expected[-1][0]])
            together = done[panel] <= first_use and (len(expected[-1]) + 1) * 3 <= limit
            expected[-1].append(panel) if together else expected.append([panel])
        assert found[name] == tuple(map(len, expected))


def test_a_chunk_is_no_longer_than_a_bank() -> None:
    assert chunk_limit(NANO, 10_000) == NANO.spad_words // NANO.banks
    assert chunk_limit(NANO, 7) == 7
