# SPDX-License-Identifier: Apache-2.0
"""Choosing among schedules and allocations by the timing model.

The heuristics of `schedule` and `allocate` don't see every stall. So a program is ordered with several amounts of
prefetching and placed in several ways, and the one that the timing model finds fastest is kept. A program's structure
decides, not its numbers, hence the answer is remembered by structure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from capra.allocate import AllocationError, allocate
from capra.emit import ConstantPool, emit, words
from capra.estimate import NOMINAL_LEN
from capra.graph import Graph
from capra.layout import Layout, place_windows
from capra.lower import Lowered, lower
from capra.ops import Op
from capra.place import Buffer, Placement, place
from capra.quantise import QuantSpec
from capra.schedule import coarse_chunks, schedule
from capra.verify import verify_allocation, verify_order, verify_placement
from ga2.golden.resolve import Resolved, State, resolve
from ga2.spec import Config
from ga2.timing.model import timeline

SMALL_PROGRAM = 16
"""Operations: a program this short has nothing to choose."""
PREFETCH_DIVISORS = (1, 8, 32)
ALLOCATIONS = 3
NOMINAL_BLOCKS = (1, 4)
BEYOND_MEMORY = 1 << 20


@dataclass(frozen=True)
class Planned:
    """A program in order and in place."""

    graph: Graph
    ops: list[Op]
    addresses: dict[str, int]
    buffers: dict[str, Buffer]
    placement: Placement


@dataclass(frozen=True)
class _Choice:
    """What distinguishes two plans of one graph."""

    prefetch_words: int
    variant: int


_remembered: dict[tuple, _Choice] = {}


def plan(graph: Graph, spec: QuantSpec, layout: Layout, config: Config, tuned: bool = True) -> Planned:
    """Order and place a fused graph; AllocationError names the program and a buffer that fits nowhere.

    tuned: take the fastest of several plans; else the first that fits, in a tenth of the time.
    """
    placement = place(graph, config)
    verify_placement(graph, placement, config)
    planner = _Planner(graph, placement, spec, config)
    key = (config, tuned, *_structure(graph))
    if key not in _remembered:
        _remembered[key] = planner.choose(layout, tuned)
    return planner.build(_remembered[key])


def _structure(graph: Graph) -> Iterator[tuple]:
    for node in graph.nodes:
        yield (node.name, node.op, tuple(operand.name for operand in node.inputs), node.shape, node.start, node.kind,
               node.transpose_b, node.causal, node.residual, node.norm)  # fmt: skip
    for output in graph.outputs:
        yield (output.name, output.node.name, output.cache)


def cycles(ops: Sequence[Op], addresses: Mapping[str, int], layout: Layout, config: Config) -> int:
    """Cycles of one plain step and of one small block, together, on the reference memory."""
    code = words(emit(ops, addresses, layout, ConstantPool(BEYOND_MEMORY)))
    windows = place_windows(layout, config, 0)
    total = 0
    for m in NOMINAL_BLOCKS:
        state = State(NOMINAL_LEN, m, windows)
        resolved = [resolve(word, pc, config, state) for pc, word in enumerate(code)]
        total += timeline(config, [entry for entry in resolved if isinstance(entry, Resolved)]).finish
    return total


class _Planner:
    """Builds the plans of one graph."""

    def __init__(self, graph: Graph, placement: Placement, spec: QuantSpec, config: Config) -> None:
        self.graph, self.placement, self.spec, self.config = graph, placement, spec, config
        self.single = self.lower({})
        self.ordered: dict[int, tuple[Lowered, list[Op]]] = {}

    def lower(self, chunking: Mapping[str, tuple[int, ...]]) -> Lowered:
        return lower(self.graph, self.placement, self.spec, self.config, chunking)

    def order(self, prefetch_words: int) -> tuple[Lowered, list[Op]]:
        """The operations and their order, for one amount of prefetching."""
        if prefetch_words not in self.ordered:
            alone = schedule(self.single, self.config, prefetch_words)
            chunking = coarse_chunks(self.single, alone, min(prefetch_words, self.config.bank_words))
            lowered = self.lower(chunking)
            program = schedule(lowered, self.config, prefetch_words).program
            verify_order(program, lowered)
            self.ordered[prefetch_words] = (lowered, program)
        return self.ordered[prefetch_words]

    def build(self, choice: _Choice) -> Planned:
        """The plan of a choice; AllocationError if it does not fit."""
        lowered, program = self.order(choice.prefetch_words)
        addresses = allocate(program, lowered.buffers, self.config, choice.variant)
        verify_allocation(program, lowered.buffers, addresses, self.config)
        return Planned(self.graph, program, addresses, lowered.buffers, self.placement)

    def choose(self, layout: Layout, tuned: bool) -> _Choice:
        """The fastest of the plans that fit, or the first that fits: of a small program, or if not `tuned`."""
        first = not tuned or len(self.single.ops) <= SMALL_PROGRAM
        found: list[tuple[int, _Choice]] = []
        refusal: AllocationError | None = None
        for choice in self.choices():
            try:
                built = self.build(choice)
            except AllocationError as error:
                refusal = refusal or error
                continue
            if first:
                return choice
            found.append((cycles(built.ops, built.addresses, layout, self.config), choice))
        if not found:
            raise AllocationError(f"program {self.graph.name}: {refusal}") from None
        return min(found, key=lambda entry: entry[0])[1]

    def choices(self) -> Iterator[_Choice]:
        for divisor in PREFETCH_DIVISORS:
            for variant in range(ALLOCATIONS):
                yield _Choice(self.config.spad_words // divisor, variant)
        yield _Choice(0, 0)
