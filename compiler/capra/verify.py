# SPDX-License-Identifier: Apache-2.0
"""Checks between passes: a pass that breaks what the next one relies on is stopped here, by name."""

from collections.abc import Mapping, Sequence

from capra.allocate import bank_exclusions, lifetimes, lowest_starts
from capra.graph import Graph
from capra.lower import Lowered
from capra.ops import Op
from capra.place import Buffer, Placement, has_place
from capra.shapes import infer
from ga2.spec import Config


class VerifyError(AssertionError):
    """A pass produced something that the next one must not see."""


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise VerifyError(what)


def verify_graph(graph: Graph) -> None:
    """Operands come before their readers, names are unique, shapes follow from the operands."""
    seen: set[str] = set()
    for node in graph.nodes:
        for operand in node.inputs:
            _require(operand.name in seen and operand in graph.nodes, f"{node}: {operand.name} comes too late")
        _require(node.name not in seen, f"{node}: the name is taken")
        _require(infer(node) == node.shape, f"{node}: its operands give {infer(node)}")
        seen.add(node.name)
    for output in graph.outputs:
        _require(output.node in graph.nodes, f"output {output.name}: {output.node.name} is not in the graph")


def verify_rewrite(before: Graph, after: Graph) -> None:
    """A sound graph with the same outputs."""
    verify_graph(after)
    kept, given = (
        [(output.name, output.cache, output.node.name, str(output.node.shape), output.node.role) for output in outputs]
        for outputs in (after.outputs, before.outputs)
    )
    _require(kept == given, f"graph {after.name}: stores {kept}, not {given}")


def verify_placement(graph: Graph, placement: Placement, config: Config) -> None:
    """Every tensor lies inside its buffer; a view has the pitch of what it shows."""
    for node in graph.nodes:
        if not has_place(graph, node):
            continue
        found = placement.of(node)
        buffer = placement.buffers[found.buffer]
        _require(found.pitch == buffer.pitch, f"{node}: pitch {found.pitch} in buffer of pitch {buffer.pitch}")
        end = found.row + node.shape.rows
        _require(
            (buffer.rows - end).never_negative() and found.row.never_negative(),
            f"{node}: rows {found.row} .. {end} leave buffer {buffer.name} of {buffer.rows} rows",
        )
        if node.op == "slice_rows":
            source = placement.of(node.inputs[0])
            inside = (found.buffer, found.row) == (source.buffer, source.row + node.start)
            _require(inside, f"{node}: not where its source is")


def verify_order(program: Sequence[Op], lowered: Lowered) -> None:
    """Every operation is there once, after all that it depends on."""
    position = {op: index for index, op in enumerate(program)}
    _require(len(position) == len(program) == len(lowered.ops), "the schedule lost or repeated an operation")
    for op, earlier in lowered.after.items():
        for before in earlier:
            what = f"{op.node}: {op.opcode} comes before {before.opcode} {before.node}"
            _require(position[before] < position[op], what)


def verify_allocation(
    program: Sequence[Op], buffers: Mapping[str, Buffer], addresses: Mapping[str, int], config: Config
) -> None:
    """Inside the scratchpad, no live overlap, bank-disjoint operands, no base below 0."""
    life = lifetimes(program)
    spans = {name: (base, base + buffers[name].words(config.max_len, config.m_max)) for name, base in addresses.items()}
    banks = {name: set(range(lo // config.bank_words, -(-hi // config.bank_words))) for name, (lo, hi) in spans.items()}
    for name, lowest in lowest_starts(program).items():
        _require(addresses[name] >= lowest, f"buffer {name}: at {addresses[name]}, an operand's base is below 0")
    for name, (lo, hi) in spans.items():
        _require(0 <= lo < hi <= config.spad_words, f"buffer {name}: words {lo} .. {hi} leave the scratchpad")
        for other, (low, high) in spans.items():
            clash = other != name and lo < high and low < hi and life.together(name, other)
            _require(not clash, f"buffers {name} and {other} overlap while both are alive")
    for name, others in bank_exclusions(program).items():
        for other in others:
            _require(not banks[name] & banks[other], f"buffers {name} and {other} share a bank")
