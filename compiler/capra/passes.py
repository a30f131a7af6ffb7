# SPDX-License-Identifier: Apache-2.0
"""The compiler's passes, in their order, each with the verifier of its result.

A pass is a plain function of its own file from one data structure to the next. Here it is told where its operands come
from and where its result goes.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from capra import verify
from capra.emit import ConstantPool, EmitError, emit
from capra.fuse import rewritten
from capra.graph import Graph
from capra.layout import lay_out
from capra.node import GraphError
from capra.plan import allocated, lowered, placed, scheduled, streamed
from capra.quantise import quantise
from capra.sizes import check_sizes
from capra.stream import chunk_limit
from capra.tune import tune
from capra.work import Unit, Work


@dataclass(frozen=True)
class Pass:
    """One step. verify: VerifyError if the second work, made of the first, is not what later passes rely on."""

    name: str
    summary: str
    run: Callable[[Work], Work]
    verify: Callable[[Work, Work], None]


class UnknownPass(ValueError):
    """No pass has that name; the text lists those there are."""


def _program_pass(name: str, summary: str, run: Callable[[Work, Unit], Unit],
                  check: Callable[[Work, Unit, Unit], None]) -> Pass:  # fmt: skip
    def each(work: Work) -> Work:
        return replace(work, units=tuple(run(work, unit) for unit in work.units))

    def verified(before: Work, after: Work) -> None:
        for old, new in zip(before.units, after.units, strict=True):
            check(after, old, new)

    return Pass(name, summary, each, verified)


def _rewrite(name: str, summary: str, check: Callable[[Graph, Graph], None]) -> Pass:
    def run(work: Work, unit: Unit) -> Unit:
        return replace(unit, graph=rewritten(unit.graph, name, work.options))

    return _program_pass(name, summary, run, lambda _, old, new: check(old.graph, new.graph))


def _as_built(work: Work) -> Work:
    names = [graph.name for graph in work.graphs]
    if len(set(names)) < len(names):
        raise GraphError(f"two programs have one name: {names}")
    return work


def _quantised(work: Work) -> Work:
    return replace(work, spec=quantise(work.graphs, work.ranges, work.per_column))


def _laid_out(work: Work) -> Work:
    return replace(work, layout=lay_out(work.graphs, work.spec, work.config))


def _emitted(work: Work) -> Work:
    pool = ConstantPool(work.config.cmem_depth)
    units = [
        replace(unit, instructions=tuple(emit(unit.timeline.program, unit.addresses, work.layout, pool)))
        for unit in work.units
    ]
    count = sum(len(unit.instructions) for unit in units)
    if count > work.config.imem_depth:
        raise EmitError(f"{count} instructions, but {work.config.name} holds {work.config.imem_depth}")
    return replace(work, units=tuple(units), constants=tuple(pool.constants))


def _sized(_work: Work, unit: Unit) -> Unit:
    return replace(unit, graph=check_sizes(unit.graph))


def _graphs_hold(_before: Work, after: Work) -> None:
    for graph in after.graphs:
        verify.verify_graph(graph)


def _same_graph(_work: Work, old: Unit, new: Unit) -> None:
    verify.verify_rewrite(old.graph, new.graph)


def _same_rows(_work: Work, old: Unit, new: Unit) -> None:
    verify.verify_same_rows(old.graph, new.graph)


def _quantisation_holds(_before: Work, after: Work) -> None:
    verify.verify_quantisation(after.graphs, after.spec)


def _layout_holds(_before: Work, after: Work) -> None:
    verify.verify_layout(after.graphs, after.layout, after.config)


def _places_hold(work: Work, _old: Unit, unit: Unit) -> None:
    verify.verify_placement(unit.graph, unit.placement, work.config)


def _operations_hold(work: Work, _old: Unit, unit: Unit) -> None:
    verify.verify_operations(unit.graph, unit.placement, unit.lowered, work.config)


def _panels_hold(work: Work, old: Unit, unit: Unit) -> None:
    """Lowering loads panel by panel."""
    _operations_hold(work, old, unit)
    verify.verify_streams(unit.graph, unit.lowered, work.config, 0)


def _choice_holds(work: Work, _old: Unit, unit: Unit) -> None:
    verify.verify_choice(unit.choice, unit.graph, work.config)


def _streams_hold(work: Work, old: Unit, unit: Unit) -> None:
    _operations_hold(work, old, unit)
    limit = chunk_limit(work.config, unit.choice.prefetch_words)
    verify.verify_streams(unit.graph, unit.lowered, work.config, limit)


def _order_holds(_work: Work, _old: Unit, unit: Unit) -> None:
    verify.verify_order(unit.timeline.program, unit.lowered)


def _addresses_hold(work: Work, _old: Unit, unit: Unit) -> None:
    verify.verify_allocation(unit.timeline.program, unit.lowered.buffers, unit.addresses, work.config)


def _instructions_hold(_before: Work, after: Work) -> None:
    for unit in after.units:
        verify.verify_emission(unit.timeline.program, unit.instructions, unit.addresses, unit.lowered.buffers,
                               after.constants, after.layout, after.config)  # fmt: skip


PASSES: tuple[Pass, ...] = (
    Pass("graph", "the graph as it was built", _as_built, _graphs_hold),
    _rewrite("prune", "without what no output needs", lambda old, new: verify.verify_rewrite(old, new)),
    _program_pass("shapes", "every size, and the words it takes at the largest LEN and M", _sized, _same_graph),
    _rewrite("causal", "attention over prefix slices as one causal block",
             lambda old, new: verify.verify_causal(old, new)),
    _rewrite("residual", "sums inside the products they belong to", lambda old, new: verify.verify_residuals(old, new)),
    _rewrite("relu", "relus as the lower clamp of a product", lambda old, new: verify.verify_relus(old, new)),
    _rewrite("normalise", "stored softmaxes as probabilities over 256",
             lambda old, new: verify.verify_normalised(old, new)),
    _program_pass("rows", "whether row i of each tensor is the one-row step's", lambda _, unit: unit, _same_rows),
    Pass("quantise", "scales by role, weights as bytes", _quantised, _quantisation_holds),
    Pass("layout", "windows of external memory", _laid_out, _layout_holds),
    _program_pass("place", "buffers and views", placed, _places_hold),
    _program_pass("lower", "operations and what each comes after", lowered, _panels_hold),
    _program_pass("tune", "the fastest of several plans, by the timing model", tune, _choice_holds),
    _program_pass("stream", "weights in chunks of panels", streamed, _streams_hold),
    _program_pass("schedule", "one order", scheduled, _order_holds),
    _program_pass("allocate", "addresses in the scratchpad", allocated, _addresses_hold),
    Pass("emit", "instructions and constants", _emitted, _instructions_hold),
)  # fmt: skip


def pass_names() -> list[str]:
    """Their names in order."""
    return [each.name for each in PASSES]


def check_names(names: Iterable[str]) -> None:
    """UnknownPass for a name that no pass has."""
    for name in names:
        if name not in pass_names():
            raise UnknownPass(f"no pass '{name}': there are {', '.join(pass_names())}")


def finished(work: Work) -> Work:
    """The work that all passes have seen."""
    for _, made in run_passes(work):
        work = made
    return work


def run_passes(work: Work) -> Iterator[tuple[Pass, Work]]:
    """Every pass with its verified result, as it is made. Who needs no more stops asking."""
    for each in PASSES:
        made = each.run(work)
        try:
            each.verify(work, made)
        except verify.VerifyError as error:
            raise verify.VerifyError(f"pass {each.name}: {error}") from None
        work = made
        yield each, work
