# SPDX-License-Identifier: Apache-2.0
"""A program in two: one that loads the weights, and the program without these loads, for as often as it is wanted.

The scratchpad keeps its bytes between programs. So the weights' buffers are placed as if they were alive from the first
load to the end of the program and beyond: nothing else is ever given their words.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile

from capra import verify
from capra.allocate import AllocationError, allocate
from capra.compile import CompiledModel, assembled
from capra.emit import ConstantPool, emit
from capra.graph import Graph
from capra.lower import Lowered, lower
from capra.passes import PASSES
from capra.schedule import Timeline, schedule
from capra.tune import ALLOCATIONS, cycles
from capra.work import Unit, Work
from ga2.spec import Config

LOADER = "load_weights"


def compile_resident(config: Config, graph: Graph, ranges: Mapping[str, float]) -> CompiledModel:
    """A model of two programs: `load_weights`, and the graph's, which relies on what the former left.

    Any other program in between may overwrite the weights. GraphError, QuantError, AllocationError, EmitError or
    EncodeError name what cannot be done: above all, weights that don't fit beside the tensors.
    """
    work = _prepared(Work(config, ranges, (Unit(graph),)))
    (unit,) = work.units
    tiles = {name: (-(-array.shape[1] // config.cols),) for name, array in unit.graph.weights.items()}
    whole = lower(unit.graph, unit.placement, work.spec, config, tiles)
    loads = [op for op in whole.ops if op.weight]
    rest = Lowered([op for op in whole.ops if not op.weight],
                   {op: after - set(loads) for op, after in whole.after.items() if not op.weight},
                   whole.buffers)  # fmt: skip
    ordered = schedule(rest, config, 0)
    verify.verify_order(ordered.program, rest)
    always = [*loads, *ordered.program, *loads]
    found, refusal = [], None
    for variant in range(ALLOCATIONS):
        try:
            addresses = allocate(always, whole.buffers, config, variant)
        except AllocationError as error:
            refusal = refusal or error
            continue
        verify.verify_allocation(always, whole.buffers, addresses, config)
        found.append(replace(unit, lowered=rest, timeline=ordered, addresses=addresses))
    if not found:
        raise AllocationError(f"program {graph.name} with its weights in the scratchpad: {refusal}") from None
    body = min(found, key=lambda built: cycles(work, built))
    loader = Unit(Graph(LOADER), lowered=Lowered(loads, {}, {}), timeline=Timeline(loads, {}, {}),
                  addresses=body.addresses)  # fmt: skip
    pool = ConstantPool(config.cmem_depth)
    units = tuple(
        replace(each, instructions=tuple(emit(each.timeline.program, each.addresses, work.layout, pool)))
        for each in (loader, body)
    )
    return assembled(replace(work, units=units, constants=tuple(pool.constants)))


def _prepared(work: Work) -> Work:
    """The work that the passes up to placing have seen and verified."""
    for each in takewhile(lambda one: one.name != "lower", PASSES):
        made = each.run(work)
        each.verify(work, made)
        work = made
    return work
