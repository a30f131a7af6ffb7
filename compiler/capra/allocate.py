# SPDX-License-Identifier: Apache-2.0
"""Allocation: buffers to scratchpad addresses, for a given program order.

Hard rules: buffers alive at once do not overlap; operands that one instruction reads lie in disjoint banks; no
operand's base is below word 0, though it may lie rows before its buffer where LEN and M lead back into it. Soft ones,
by cost: operations of different units that run side by side should not need the same port of one bank, and a buffer
should not be reused at once, because the core would hold the later operation back.

Cheapest fit over buffers by falling size. A buffer that finds no place moves to the front and the search starts
again; a complete placement is then improved one buffer at a time.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from capra.estimate import size
from capra.ops import Op
from capra.place import Buffer
from ga2.spec import Config

NEARBY = 8
"""Operations this close in program order may run side by side."""
PORT_COST = 8
RESTARTS = 60
SWEEPS = 2
VARIANT_STRETCH = 4.0


class AllocationError(ValueError):
    """A buffer that fits nowhere; the text names it and what is in its way."""


@dataclass(frozen=True)
class Lifetimes:
    """First and last operation that touches each buffer, by index in the program."""

    spans: Mapping[str, tuple[int, int]]

    def together(self, one: str, other: str) -> bool:
        """True if both are alive at some operation."""
        (a, b), (c, d) = self.spans[one], self.spans[other]
        return a <= d and c <= b

    def distance(self, one: str, other: str) -> int:
        """Operations between the end of the earlier one and the start of the later one."""
        (a, b), (c, d) = self.spans[one], self.spans[other]
        return max(c - b, a - d)


def lifetimes(program: Sequence[Op]) -> Lifetimes:
    """Lifetimes of every buffer that the program touches."""
    spans: dict[str, tuple[int, int]] = {}
    for index, op in enumerate(program):
        for ref in op.operands.values():
            first, _ = spans.get(ref.buffer, (index, index))
            spans[ref.buffer] = (first, index)
    return Lifetimes(spans)


def bank_exclusions(program: Sequence[Op]) -> dict[str, set[str]]:
    """Buffers that one MM or VEC reads together, by buffer; a pair of equal ones is an AllocationError."""
    apart: dict[str, set[str]] = defaultdict(set)
    for op in program:
        if op.opcode not in ("MM", "VEC"):
            continue
        names = [ref.buffer for ref in op.reads]
        if len(set(names)) < len(names):
            raise AllocationError(
                f"{op.node}: {op.opcode} reads buffer {names[0]} twice, from one bank port; "
                "take an explicit copy() of one of the operands"
            )
        for name in names:
            apart[name] |= set(names) - {name}
    return apart


def port_rivals(program: Sequence[Op]) -> dict[str, dict[str, int]]:
    """How often two buffers are written, or read, by nearby operations of different units."""
    rivals: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for index, op in enumerate(program):
        for other in program[index + 1 : index + 1 + NEARBY]:
            if other.unit == op.unit:
                continue
            for ours, theirs in ((op.reads, other.reads), (op.writes, other.writes)):
                for one in ours:
                    for two in theirs:
                        if one.buffer != two.buffer:
                            rivals[one.buffer][two.buffer] += 1
                            rivals[two.buffer][one.buffer] += 1
    return rivals


def lowest_starts(program: Sequence[Op]) -> dict[str, int]:
    """The lowest first word of every buffer that leaves no operand's base below 0.

    The last of LEN + M rows starts at LEN + M - 1: its base is a row before the buffer.
    """
    lowest: dict[str, int] = {}
    for op in program:
        for ref in op.operands.values():
            lowest[ref.buffer] = max(lowest.get(ref.buffer, 0), -(ref.word + ref.row.imm * ref.pitch))
    return lowest


class _Relations:
    """What holds between the buffers of one program, wherever they will lie."""

    def __init__(self, program: Sequence[Op]) -> None:
        self.life = lifetimes(program)
        self.apart = bank_exclusions(program)
        self.rivals = port_rivals(program)
        self.lowest = lowest_starts(program)
        self._facts: dict[str, dict[str, tuple[bool, bool, int, int]]] = {}

    def facts(self, name: str) -> dict[str, tuple[bool, bool, int, int]]:
        """Of the buffers that forbid or cost `name` anything: together, apart, port, reuse."""
        if name not in self._facts:
            every = {
                other: (
                    self.life.together(name, other),
                    other in self.apart[name],
                    PORT_COST * self.rivals[name][other],
                    max(0, NEARBY + 1 - self.life.distance(name, other)),
                )
                for other in self.life.spans
            }
            self._facts[name] = {other: facts for other, facts in every.items() if any(facts)}
        return self._facts[name]


@lru_cache(maxsize=1)
def _relations(program: tuple[Op, ...]) -> _Relations:
    """Kept for the next variant, which places the same program."""
    return _Relations(program)


class _Near(NamedTuple):
    """What a placed buffer means to another one: where it lies, which rules hold between the two, and what they cost.

    banks: those it may touch, if the two must be apart. usual: those it touches in the nominal block, if sharing one
    has a cost, `port`. reuse: cost of the other one taking its words.
    """

    low: int
    high: int
    banks: int
    usual: int
    together: bool
    apart: bool
    port: int
    reuse: int


class _Allocator:
    """One program's buffers; `try_order` places them in a given order."""

    def __init__(
        self, program: Sequence[Op], buffers: Mapping[str, Buffer], config: Config, variant: int
    ) -> None:
        self.config = config
        self.bank_words, self.spad_words = config.bank_words, config.spad_words
        self.relations = _relations(tuple(program))
        self.life, self.apart, self.lowest = self.relations.life, self.relations.apart, self.relations.lowest
        names = [name for name in buffers if name in self.life.spans]
        self.words = {name: buffers[name].words(config.max_len, config.m_max) for name in names}
        self.usual = {
            name: min(self.words[name], max(1, size(buffers[name].rows) * buffers[name].pitch)) for name in names
        }
        chance = Random(variant)
        stretch = {name: chance.uniform(1, VARIANT_STRETCH) if variant else 1.0 for name in names}
        self.order = sorted(names, key=lambda name: -self.words[name] * stretch[name])

    def banks(self, start: int, words: int) -> int:
        """Banks that `words` > 0 words from `start` touch, one bit each."""
        first, last = start // self.bank_words, (start + words - 1) // self.bank_words
        return (2 << last) - (1 << first)

    def near(self, name: str, placed: Mapping[str, int]) -> list[_Near]:
        """The placed buffers as `name` sees them."""
        found = []
        for other, (together, apart, port, reuse) in self.relations.facts(name).items():
            if other != name and other in placed:
                base = placed[other]
                banks = self.banks(base, self.words[other]) if apart else 0
                usual = self.banks(base, self.usual[other]) if port else 0
                found.append(_Near(base, base + self.words[other], banks, usual, together, apart, port, reuse))
        return found

    def fits(self, name: str, start: int, near: Sequence[_Near]) -> bool:
        end = start + self.words[name]
        if start < self.lowest[name] or end > self.spad_words:
            return False
        banks = self.banks(start, self.words[name])
        for low, high, others, _, together, apart, _, _ in near:
            if together and start < high and low < end:
                return False
            if apart and banks & others:
                return False
        return True

    def cost(self, name: str, start: int, near: Sequence[_Near], limit: int | None = None) -> int:
        """Expected stalls from sharing banks and from early reuse, in no particular unit; any sum from `limit` on."""
        total, end = 0, start + self.words[name]
        banks = self.banks(start, self.usual[name])
        for low, high, _, usual, _, _, port, reuse in near:
            if port and banks & usual:
                total += port
            if reuse and start < high and low < end:
                total += reuse
            if limit is not None and total >= limit:
                break
        return total

    def candidates(self, placed: Mapping[str, int]) -> list[int]:
        """Starts worth trying: the bottoms, every bank, the end of every buffer."""
        starts = {0, *self.lowest.values()} | {bank * self.config.bank_words for bank in range(self.config.banks)}
        starts |= {base + self.words[other] for other, base in placed.items()}
        return sorted(starts)

    def best_start(
        self, name: str, placed: Mapping[str, int], near: Sequence[_Near], use_cost: bool
    ) -> int | None:
        """The cheapest start that breaks no rule, the lowest of equals; None if there is none."""
        best, least = None, None
        for start in self.candidates(placed):
            if not self.fits(name, start, near):
                continue
            if not use_cost:
                return start
            cost = self.cost(name, start, near, least)
            if least is None or cost < least:
                best, least = start, cost
            if cost == 0:
                break
        return best

    def improve(self, placed: dict[str, int]) -> dict[str, int]:
        """Move one buffer after another to its cheapest place, now that all the others are known."""
        for _ in range(SWEEPS):
            for name in self.order:
                others = {other: base for other, base in placed.items() if other != name}
                near = self.near(name, others)
                start = self.best_start(name, others, near, use_cost=True)
                if start is not None and self.cost(name, start, near) < self.cost(name, placed[name], near):
                    placed = others | {name: start}
        return placed

    def try_order(self, order: Sequence[str], use_cost: bool) -> tuple[dict[str, int], str | None]:
        """(addresses, None), or (addresses so far, the buffer that fits nowhere)."""
        placed: dict[str, int] = {}
        for name in order:
            start = self.best_start(name, placed, self.near(name, placed), use_cost)
            if start is None:
                return placed, name
            placed[name] = start
        return placed, None

    def run(self) -> dict[str, int]:
        """Addresses by buffer; AllocationError if neither the cheapest nor the first fit finds any."""
        failed: str | None = None
        for use_cost in (True, False):
            order = list(self.order)
            for _ in range(RESTARTS):
                placed, failed = self.try_order(order, use_cost)
                if failed is None:
                    return self.improve(placed)
                order.remove(failed)
                order.insert(0, failed)
        raise self.refusal(failed or "")

    def refusal(self, name: str) -> AllocationError:
        """The error for a buffer that fits nowhere."""
        rivals = [other for other in self.order if other != name and self.life.together(name, other)]
        listing = ", ".join(f"{other} ({self.words[other]} words)" for other in rivals)
        return AllocationError(
            f"{name}: its {self.words[name]} words find no place in the {self.config.spad_words} words of "
            f"{self.config.name}; alive at the same time: {listing or 'nothing'}; "
            f"bank-disjoint from: {', '.join(sorted(self.apart[name])) or 'nothing'}"
        )


def allocate(program: Sequence[Op], buffers: Mapping[str, Buffer], config: Config, variant: int = 0) -> dict[str, int]:
    """First word of every buffer of the program; AllocationError if it cannot be done.

    Variants above 0 start from other orders of the buffers and often end in other placements.
    """
    return _Allocator(program, buffers, config, variant).run()
