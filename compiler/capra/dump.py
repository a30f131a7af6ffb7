# SPDX-License-Identifier: Apache-2.0
"""What a pass made, as text: the same text for the same model, in the names and sizes of the graph."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from capra.allocate import lifetimes
from capra.graph import Graph
from capra.node import Node
from capra.ops import ExtRef, Op, Ref
from capra.place import row_words
from capra.verify import output_rows, row_dependence
from capra.work import Unit, Work
from ga2.isa.disassembler import disassemble_word, format_constant
from ga2.isa.encoding import encode

WINDOWS = ("weights", "caches", "inputs", "outputs")
FLAGS = ("transpose_b", "causal", "residual", "relu", "norm")
Lines = Iterator[str]


def columns(rows: Sequence[Sequence[str]]) -> Lines:
    """Cells below one another, each column as wide as its widest cell."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _made_by(node: Node) -> str:
    rows = f"[{node.start} : {node.start + node.shape.rows}]" if node.op == "slice_rows" else ""
    return f"{node.op}({', '.join(operand.name for operand in node.inputs) or node.kind}){rows}"


def _remarks(node: Node) -> str:
    """What the name, the operation and the shape leave open."""
    role = [f"role {node.role}"] if node.role != node.name else []
    scale = [f"scale {node.scale:.6g}"] if node.scale != 1.0 else []
    return ", ".join([*role, *scale, *(flag for flag in FLAGS if getattr(node, flag))])


def graph_lines(graph: Graph) -> Lines:
    """One node a line: name, operation, shape, remarks; then what is stored."""
    yield from columns([(node.name, _made_by(node), str(node.shape), _remarks(node)) for node in graph.nodes])
    for output in graph.outputs:
        yield f"  store {output.node.name} as {output.name}" + (f", behind {output.cache}" if output.cache else "")


def _shapes(work: Work, unit: Unit) -> Lines:
    """Rows and columns of every tensor: affine, at the least and at the largest LEN and M, and its words then."""
    config = work.config
    rows = [("tensor", "shape", "at LEN=0 M=1", "largest", "words")]
    for node in unit.graph.nodes:
        least, most = node.shape.at(0, 1), node.shape.largest(config.max_len, config.m_max)
        words = most[0] * row_words(node, config)
        rows.append((node.name, str(node.shape), "{} x {}".format(*least), "{} x {}".format(*most), str(words)))
    yield from columns(rows)


def _row_verdicts(_work: Work, unit: Unit) -> Lines:
    """What the rows of every tensor depend on, then the verdict on every output."""
    found = row_dependence(unit.graph)
    made = ((node.name, _made_by(node), str(node.shape), str(found[node.name])) for node in unit.graph.nodes)
    yield from columns([("tensor", "made by", "shape", "rows"), *made])
    for name, rows in output_rows(unit.graph).items():
        yield f"  output {name}: " + ("row-invariant" if rows.invariant else str(rows))


def _scales(work: Work) -> Lines:
    scales = [(role, f"{scale:.6g}") for role, scale in sorted(work.spec.scales.items())]
    yield from columns([("role", "one step"), *scales])
    rows = [("weight", "bytes", "read as", "one step")]
    for name, column in sorted(work.spec.columns.items()):
        steps = f"{column.scales.min():.6g} to {column.scales.max():.6g}, one a column"
        rows.append((name, "{} x {}".format(*column.values.shape), "panels", steps))
    roles = {node.name: node.role for graph in work.graphs for node in graph.nodes}
    for name, values in sorted(work.spec.tensors.items()):
        rows.append((name, "{} x {}".format(*values.shape), "rows", f"{work.spec.scale(roles[name]):.6g}"))
    yield from columns(rows)


def _windows(work: Work) -> Lines:
    rows: list[tuple[str, ...]] = [("window", "item", "from word", "rows", "words", "pitch")]
    for item in sorted(work.layout.items.values(), key=lambda item: (item.window, item.offset, item.name)):
        window, sizes = f"{item.window} {WINDOWS[item.window]}", (item.offset, item.rows, item.words, item.pitch)
        rows.append((window, item.name, *map(str, sizes)))
    yield from columns(rows)


def _places(_work: Work, unit: Unit) -> Lines:
    """Buffers, and which rows of which each tensor is."""
    rows = [("buffer", "rows", "words a row")]
    rows += [(buffer.name, str(buffer.rows), str(buffer.pitch)) for buffer in unit.placement.buffers.values()]
    yield from columns(rows)
    rows = [("tensor", "lies in", "rows")]
    for node in unit.graph.nodes:
        place = unit.placement.places.get(node.name)
        if place is None:
            rows.append((node.name, "external memory", ""))
            continue
        view = ", a view" if node.op in ("slice_rows", "concat_rows") else ""
        rows.append((node.name, place.buffer + view, f"{place.row} .. {place.row + node.shape.rows - 1}"))
    yield from columns(rows)


def _ref(ref: Ref) -> str:
    return f"{ref.buffer}[{ref.row}, {ref.word}]" if str(ref.row) != "0" or ref.word else ref.buffer


def _ext(ref: ExtRef) -> str:
    return f"{ref.item}[{ref.row}, {ref.word}]" if str(ref.row) != "0" or ref.word else ref.item


def operation(op: Op) -> str:
    """`MM q  m=M n=4 k=16  out=q left=x right=Wq[0:1]`: operands in buffers and items, [row, word] where not at 0."""
    dims = [f"{name}={size}" for name, size in op.dims.items()]
    operands = [f"{name}={_ref(ref)}" for name, ref in op.operands.items()]
    external = [f"ext={_ext(op.ext)}"] if op.ext else []
    return " ".join([f"{op.opcode} {op.node}:", *dims, *operands, *external])


def _operations(_work: Work, unit: Unit) -> Lines:
    number = {op: index for index, op in enumerate(unit.lowered.ops)}
    rows = [("no.", "operation", "after")]
    for op, index in number.items():
        rows.append((str(index), operation(op), " ".join(map(str, sorted(number[b] for b in unit.lowered.after[op])))))
    yield from columns(rows)


def _chunks(work: Work, unit: Unit) -> Lines:
    """How each weight travels, then the operations anew."""
    rows = [("weight", "chunks", "words")]
    chunks: dict[str, list[int]] = {}
    for op in unit.lowered.ops:
        if op.weight:
            chunks.setdefault(op.weight, []).append(op.dims["words"].imm)
    rows += [(name, str(len(sizes)), " ".join(map(str, sizes))) for name, sizes in chunks.items()]
    yield from columns(rows)
    yield from _operations(work, unit)


def _choice(_work: Work, unit: Unit) -> Lines:
    choice = unit.choice
    yield f"  {choice.prefetch_words} words of weights loaded ahead at most, variant {choice.variant} of the allocator"
    if choice.patience:
        yield f"  a unit idles {choice.patience} cycles at most for something more urgent"


def _order(_work: Work, unit: Unit) -> Lines:
    """The order, with the scheduler's own estimates of when each operation starts and is over."""
    line = unit.timeline
    rows = [("no.", "unit", "starts", "over", "operation")]
    for index, op in enumerate(line.program):
        rows.append((str(index), op.unit, str(line.start[op]), str(line.done[op]), operation(op)))
    yield from columns(rows)


def _addresses(work: Work, unit: Unit) -> Lines:
    """Buffers by address: words at the largest LEN and M, banks, first and last operation that touches them."""
    config, buffers = work.config, unit.lowered.buffers
    spans = lifetimes(unit.timeline.program).spans
    rows = [("words", "banks", "alive", "buffer")]
    for name, start in sorted(unit.addresses.items(), key=lambda entry: (entry[1], entry[0])):
        end = start + buffers[name].words(config.max_len, config.m_max)
        first, last = start // config.bank_words, (end - 1) // config.bank_words
        banks = str(first) if first == last else f"{first}-{last}"
        rows.append((f"0x{start:04x} .. 0x{end:04x}", banks, "{} .. {}".format(*spans[name]), name))
    yield from columns(rows)


def _instructions(_work: Work, unit: Unit) -> Lines:
    rows = [("pc", "instruction", "computes")]
    for pc, instruction in enumerate(unit.instructions):
        node = unit.timeline.program[pc].node if pc < len(unit.timeline.program) else ""
        rows.append((str(pc), disassemble_word(encode(instruction)), node))
    yield from columns(rows)


def _constants(work: Work) -> Lines:
    yield from columns([(str(index), format_constant(each)) for index, each in enumerate(work.constants)])


def _rewritten(_work: Work, unit: Unit) -> Lines:
    yield from graph_lines(unit.graph)


OF_PROGRAM: Mapping[str, Callable[[Work, Unit], Lines]] = {
    "graph": _rewritten,
    "shapes": _shapes,
    "prune": _rewritten,
    "causal": _rewritten,
    "residual": _rewritten,
    "relu": _rewritten,
    "normalise": _rewritten,
    "rows": _row_verdicts,
    "place": _places,
    "lower": _operations,
    "tune": _choice,
    "stream": _chunks,
    "schedule": _order,
    "allocate": _addresses,
    "emit": _instructions,
}
OF_MODEL: Mapping[str, Callable[[Work], Lines]] = {"quantise": _scales, "layout": _windows, "emit": _constants}


def dump(name: str, summary: str, work: Work) -> str:
    """The text of a pass that `work` has just come through: what all programs share, then program by program."""
    lines = [f"{name}: {summary}, for {work.config.name}"]
    if name in OF_MODEL:
        lines += OF_MODEL[name](work)
    if name in OF_PROGRAM:
        for unit in work.units:
            lines += [f"program {unit.graph.name}", *OF_PROGRAM[name](work, unit)]
    return "\n".join(lines) + "\n"
