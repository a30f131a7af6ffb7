# SPDX-License-Identifier: Apache-2.0
"""Pass `tune`: choosing among schedules and allocations by the timing model.

The heuristics of `schedule` and `allocate` don't see every stall. So a program is ordered with several amounts of
prefetching and placed in several ways, and the one that the timing model finds fastest is chosen. A program's structure
decides, not its numbers, hence the answer is remembered by structure.
"""

from collections.abc import Iterator
from dataclasses import replace

from capra.allocate import AllocationError
from capra.emit import ConstantPool, emit, words
from capra.estimate import NOMINAL_LEN
from capra.graph import Graph
from capra.layout import place_windows
from capra.ops import Op
from capra.plan import allocated, scheduled, streamed
from capra.work import Choice, Unit, Work
from ga2.golden.resolve import Resolved, State, resolve
from ga2.spec import Config
from ga2.timing.model import timeline

SMALL_PROGRAM = 16
"""Operations: a program this short has nothing to choose."""
PREFETCH_DIVISORS = (1, 8, 32)
ALLOCATIONS = 3
PATIENCE = (8, 16, 48)
"""Cycles, besides none at all, that a unit of a chained program may idle for something more urgent."""
NOMINAL_BLOCKS = (1, 4)
NOMINAL_CACHES = (4, NOMINAL_LEN, 28)
"""Of chained programs, whose blocks have one size."""
BEYOND_MEMORY = 1 << 20

_remembered: dict[tuple, Choice] = {}


def tune(work: Work, unit: Unit) -> Unit:
    """The lowered program with its choice; AllocationError names the program and a buffer that fits nowhere."""
    key = (work.config, work.tuned, *_structure(unit.graph))
    if key not in _remembered:
        _remembered[key] = choose(work, unit)
    return replace(unit, choice=_remembered[key])


def forget() -> None:
    """Choose anew, even for programs of a known structure: what a measurement of the compiler asks for."""
    _remembered.clear()


def _structure(graph: Graph) -> Iterator[tuple]:
    for node in graph.nodes:
        yield (node.name, node.op, tuple(operand.name for operand in node.inputs), node.shape, node.start, node.kind,
               node.transpose_b, node.causal, node.residual, node.norm)  # fmt: skip
    for output in graph.outputs:
        yield (output.name, output.node.name, output.cache)


def cycles(work: Work, unit: Unit) -> int:
    """Cycles of one plain step and of one small block, together, on the reference memory; of a chained program those
    on several caches."""
    config, layout = work.config, work.layout
    code = words(emit(unit.timeline.program, unit.addresses, layout, ConstantPool(BEYOND_MEMORY)))
    windows = place_windows(layout, config, 0)
    total = 0
    blocks = [(NOMINAL_LEN, m) for m in NOMINAL_BLOCKS]
    for length, m in [(length, 1) for length in NOMINAL_CACHES] if is_chained(unit.graph) else blocks:
        state = State(length, m, windows)
        resolved = [resolve(word, pc, config, state) for pc, word in enumerate(code)]
        total += timeline(config, [entry for entry in resolved if isinstance(entry, Resolved)]).finish
    return total


def choose(work: Work, unit: Unit) -> Choice:
    """The fastest of the plans that fit, or the first that fits: of a small program, or without tuning."""
    first = not work.tuned or len(unit.lowered.ops) <= SMALL_PROGRAM
    found: list[tuple[int, Choice]] = []
    refusal: AllocationError | None = None
    ordered: dict[tuple[int, int], Unit] = {}
    tried: set[tuple] = set()
    for choice in choices(work.config, unit.graph):
        plan = (choice.prefetch_words, choice.patience)
        if plan not in ordered:
            ordered[plan] = scheduled(work, streamed(work, replace(unit, choice=choice)))
        program = (choice.variant, *map(_signature, ordered[plan].timeline.program))
        if program in tried:
            continue
        tried.add(program)
        try:
            built = allocated(work, replace(ordered[plan], choice=choice))
        except AllocationError as error:
            refusal = refusal or error
            continue
        if first:
            return choice
        found.append((cycles(work, built), choice))
    if not found:
        raise AllocationError(f"program {unit.graph.name}: {refusal}") from None
    return min(found, key=lambda entry: entry[0])[1]


def _signature(op: Op) -> tuple:
    """What tells an operation from the others of its program, however often it is lowered."""
    return op.opcode, op.node, op.ext, tuple(op.dims.items()), tuple(op.operands.items())


def choices(config: Config, graph: Graph) -> Iterator[Choice]:
    """All that are tried for a program, in order."""
    for patience in (0, *PATIENCE) if is_chained(graph) else (0,):
        for divisor in PREFETCH_DIVISORS:
            for variant in range(ALLOCATIONS):
                yield Choice(config.spad_words // divisor, variant, patience)
        yield Choice(0, 0, patience)


def is_chained(graph: Graph) -> bool:
    """Whether the program gathers by ids that it computes: loads then wait for products, and order counts for more."""
    return any(node.op == "gather" and node.inputs[1].op == "argmax" for node in graph.nodes)
