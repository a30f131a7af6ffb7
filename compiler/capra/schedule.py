# SPDX-License-Identifier: Apache-2.0
"""Scheduling: operations and dependences to one program order.

List scheduling. Each unit has its own clock; the operation that can start first is issued next, and among those of one
unit that can start equally early the one with the longest tail: the way from its end to the program's end (Jackson's
rule for one machine with delivery times). A load is issued just
before the bus is free for its data: earlier it would only hold a slot of the window, later the bus would idle.

With patience a unit rather idles for so many cycles than start something that a more urgent operation, whose inputs
will be there by then, would have to wait for: a long load ahead of a gather by a guess that is about to be made.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from capra.estimate import Estimate, estimate
from capra.lower import Lowered
from capra.ops import Op
from ga2.spec import Config


@dataclass(frozen=True)
class Timeline:
    """A program order with the estimated cycles in which operations start and their results are there."""

    program: list[Op]
    start: Mapping[Op, int]
    done: Mapping[Op, int]


def schedule(lowered: Lowered, config: Config, prefetch_words: int, patience: int = 0) -> Timeline:
    """Order the operations. prefetch_words: weights in the scratchpad that no product has used yet, at most.

    patience: cycles that a unit may idle for a more urgent operation.
    """
    return _Scheduler(lowered, config, prefetch_words, patience).run()


def tails(lowered: Lowered, estimates: dict[Op, Estimate]) -> dict[Op, int]:
    """Estimated cycles from the end of an operation's unit time to the end of the program.

    The longest way along data dependences, and along the order that the matrix unit, which everything shares, will
    probably take: product by product, the one with the longest way first.
    """
    order = topological(lowered)
    data = _longest_ways(lowered, order, estimates, {})
    urgency: dict[str, int] = {}
    for op in order:
        urgency[op.node] = max(urgency.get(op.node, 0), data[op] + estimates[op].busy)
    products = sorted((op for op in order if op.unit == "matrix"), key=lambda op: -urgency[op.node])
    queue = 0
    for op in reversed(products):
        data[op] = max(data[op], queue)
        queue = data[op] + estimates[op].busy
    return _longest_ways(lowered, order, estimates, {op: data[op] for op in products})


def _longest_ways(
    lowered: Lowered, order: Sequence[Op], estimates: dict[Op, Estimate], least: Mapping[Op, int]
) -> dict[Op, int]:
    """Tails over the dependences, none below `least`.

    The chunks of one product run one after another on their unit, which counts as a dependence without latency.
    """
    ways: dict[Op, int] = {}
    followers: dict[Op, list[Op]] = {op: [] for op in lowered.ops}
    for op, earlier in lowered.after.items():
        for before in earlier:
            followers[before].append(op)
    next_chunk: dict[str, int] = {}
    for op in reversed(order):
        after = max((estimates[follower].busy + ways[follower] for follower in followers[op]), default=0)
        ways[op] = max(estimates[op].latency + after, least.get(op, 0))
        if op.opcode == "MM":
            ways[op] = max(ways[op], next_chunk.get(op.node, 0))
            next_chunk[op.node] = ways[op] + estimates[op].busy
    return ways


def topological(lowered: Lowered) -> list[Op]:
    """Operations so that each comes after what it depends on; lowering order where that is free."""
    order: list[Op] = []
    placed: set[Op] = set()

    def visit(op: Op) -> None:
        if op not in placed:
            placed.add(op)
            for before in sorted(lowered.after[op], key=lowered.ops.index):
                visit(before)
            order.append(op)

    for op in lowered.ops:
        visit(op)
    return order


class _Scheduler:
    """State of the list scheduler. Times are estimated cycles from the program's start."""

    def __init__(self, lowered: Lowered, config: Config, prefetch_words: int, patience: int) -> None:
        self.lowered, self.prefetch_words, self.patience = lowered, prefetch_words, patience
        self.estimates = {op: estimate(op, config) for op in lowered.ops}
        self.tails = tails(lowered, self.estimates)
        self.rank = {op: index for index, op in enumerate(lowered.ops)}
        self.unit_free: dict[str, int] = {}
        self.started: dict[Op, int] = {}
        self.done: dict[Op, int] = {}
        self.expected: dict[Op, int] = {}
        self.waiting = list(lowered.ops)
        self.unused_words = 0
        self.readers_left = Counter(before for earlier in lowered.after.values() for before in earlier)

    def run(self) -> Timeline:
        order: list[Op] = []
        while self.waiting:
            ready = self.ready()
            found = [choice for unit in sorted(ready) if (choice := self.best(unit, ready[unit])) is not None]
            if not found:
                # Every weight in the scratchpad waits for one that the limit keeps out, or everything waits for
                # something more urgent that waits too: start anything.
                found = [(self.start(op), op) for unit in sorted(ready) for op in ready[unit]]
            _, op = min(found, key=lambda choice: (choice[0], -self.tails[choice[1]], self.rank[choice[1]]))
            self.issue(op)
            order.append(op)
        return Timeline(order, self.started, self.done)

    def ready(self) -> dict[str, list[Op]]:
        """Operations whose inputs are made, by unit."""
        found: dict[str, list[Op]] = {}
        for op in self.waiting:
            if self.lowered.after[op] <= self.done.keys():
                found.setdefault(op.unit, []).append(op)
        return found

    def start(self, op: Op) -> int:
        """The earliest issue."""
        inputs = max(map(self.done.__getitem__, self.lowered.after[op]), default=0)
        return max(inputs, self.taken(op, self.unit_free.get(op.unit, 0)))

    def taken(self, op: Op, free: int) -> int:
        """When a unit that is free from cycle `free` on can take an operation.

        A load's data follows the former load's, so it is issued a latency before that ends.
        """
        return free - self.estimates[op].latency if op.unit == "load" else free

    def free_after(self, op: Op, begin: int) -> int:
        """When the unit, or for a load the bus, is free again if it takes an operation in cycle `begin`."""
        cost = self.estimates[op]
        if op.unit == "load":
            return max(begin + cost.latency, self.unit_free.get("load", 0)) + cost.busy
        return begin + cost.busy

    def inputs_expected(self, op: Op) -> int:
        """When the inputs of an operation will be there if nothing that makes them waits for its unit."""
        return max(map(self.result_expected, self.lowered.after[op]), default=0)

    def result_expected(self, op: Op) -> int:
        """As above, of its result."""
        if op in self.done:
            return self.done[op]
        if op not in self.expected:
            self.expected[op] = self.inputs_expected(op) + self.estimates[op].busy + self.estimates[op].latency
        return self.expected[op]

    def gives_way(self, op: Op, begin: int) -> bool:
        """Whether a more urgent operation of the unit would be held up by `op`, and can start within the patience."""
        free = self.free_after(op, begin)
        for other in self.waiting if self.patience else ():
            if other.unit == op.unit and self.tails[other] > self.tails[op]:
                at = self.inputs_expected(other)
                if begin < at <= begin + self.patience and at < self.taken(other, free):
                    return True
        return False

    def best(self, unit: str, candidates: list[Op]) -> tuple[int, Op] | None:
        """(start, operation) that the unit should take next of those that are ready, or None if none may be issued."""
        if unit == "load":
            candidates = self.within_prefetch(candidates)
        if not candidates:
            return None
        starts = {op: self.start(op) for op in candidates}
        starts = {op: begin for op, begin in starts.items() if not self.gives_way(op, begin)}
        if not starts:
            return None
        first = min(starts.values())
        op = min(starts, key=lambda op: (starts[op] - first > 0, -self.tails[op], self.rank[op]))
        return starts[op], op

    def within_prefetch(self, loads: Sequence[Op]) -> list[Op]:
        """Loads that keep the unused weights within the limit; weights that nothing waits for are never held back."""
        unused = self.unused_words
        return [op for op in loads if not self.chunk_words(op) or not unused
                or unused + self.chunk_words(op) <= self.prefetch_words]  # fmt: skip

    def chunk_words(self, op: Op) -> int:
        """Words of a weight chunk; 0 for anything else."""
        return op.dims["words"].imm if op.weight else 0

    def issue(self, op: Op) -> None:
        begin, cost = self.start(op), self.estimates[op]
        free = self.free_after(op, begin)
        self.started[op], self.unit_free[op.unit] = begin, free
        self.done[op] = free if op.unit == "load" else free + cost.latency
        self.expected.clear()
        self.waiting.remove(op)
        self.unused_words += self.chunk_words(op) if self.readers_left[op] else 0
        for before in self.lowered.after[op]:
            self.readers_left[before] -= 1
            self.unused_words -= 0 if self.readers_left[before] else self.chunk_words(before)
