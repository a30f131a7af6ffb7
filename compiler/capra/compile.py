# SPDX-License-Identifier: Apache-2.0
"""The compiler's driver: graphs in, through the passes of `capra.passes`, one image and one memory layout out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capra.emit import words
from capra.fuse import FusionOptions
from capra.graph import Graph
from capra.layout import Item, Layout, output_item, place_windows
from capra.library import Weights, block_graph, draft_graph, target_graph
from capra.node import GraphError, Node
from capra.ops import Op
from capra.passes import finished
from capra.place import Buffer, Placement
from capra.quantise import QuantSpec
from capra.shapes import is_ids
from capra.work import Unit, Work
from ga2.device.protocol import Window
from ga2.isa.encoding import Instruction
from ga2.isa.image import Image
from ga2.spec import Config


@dataclass(frozen=True)
class Symbol:
    """An array in external memory. Row i starts at byte `address + i*pitch` and has `row_bytes` meaningful bytes.

    dtype: `id` (32-bit little-endian), `int8`, or `uint8` (probabilities over 256).
    """

    name: str
    address: int
    rows: int
    pitch: int
    row_bytes: int
    dtype: str

    def pack(self, values: NDArray) -> bytes:
        """Integers (m, n), or ids (m, 1), as the bytes of the first m rows, zero padded to the pitch."""
        values = np.asarray(values)
        if not values.size:
            return b""
        raw = values.astype("<u4" if self.dtype == "id" else self.dtype, order="C").view(np.uint8)
        rows = np.zeros((len(values), self.pitch), np.uint8)
        rows[:, : raw.shape[1]] = raw
        return rows.tobytes()

    def unpack(self, data: bytes) -> NDArray:
        """Whole rows of bytes as (m, n) integers: the inverse of `pack`."""
        rows = np.frombuffer(data, np.uint8).reshape(-1, self.pitch)[:, : self.row_bytes]
        return np.ascontiguousarray(rows).view("<u4" if self.dtype == "id" else self.dtype)


@dataclass(frozen=True)
class Program:
    """One program of a model. `graph` is the fused graph that `capra.interpret` runs; the rest is for reading it."""

    name: str
    entry: int
    graph: Graph
    inputs: Mapping[str, Symbol]
    outputs: Mapping[str, Symbol]
    instructions: tuple[Instruction, ...]
    ops: tuple[Op, ...]
    addresses: Mapping[str, int]
    buffers: Mapping[str, Buffer]
    placement: Placement


@dataclass(frozen=True)
class CompiledModel:
    """All programs of a model: its image, its windows, and the bytes to write (address to bytes) before it runs."""

    config: Config
    image: Image
    image_address: int
    windows: tuple[Window, Window, Window, Window]
    memory: Mapping[int, bytes]
    programs: Mapping[str, Program]
    caches: Mapping[str, Symbol]
    spec: QuantSpec
    end: int

    def entry(self, name: str) -> int:
        """First instruction of a program."""
        return self.programs[name].entry


def compile_graphs(
    config: Config,
    graphs: Iterable[Graph],
    ranges: Mapping[str, float],
    options: FusionOptions = FusionOptions(),
    image_address: int = 0,
    tuned: bool = True,
    per_column: bool = True,
) -> CompiledModel:
    """Compile the programs of one model. ranges: largest magnitude by tensor role. The rest: see `capra.work.Work`.

    GraphError, QuantError, AllocationError, EmitError or EncodeError name what cannot be done.
    """
    work = Work(config, ranges, tuple(Unit(graph) for graph in graphs), options, tuned, per_column)
    return assembled(finished(work), image_address)


def assembled(work: Work, image_address: int = 0) -> CompiledModel:
    """The compiled model of a work that all passes have seen."""
    config, layout = work.config, work.layout
    code: list[int] = []
    entries: dict[str, int] = {}
    notes: dict[int, str] = {}
    for unit in work.units:
        entries[unit.graph.name] = len(code)
        notes |= {len(code) + index: op.node for index, op in enumerate(unit.timeline.program)}
        code += words(unit.instructions)
    image = Image(config.name, code, list(work.constants), entries, notes)
    image.check()
    windows = place_windows(layout, config, image_address + len(image.memory_bytes()))
    memory = _memory(layout, windows, config)
    return CompiledModel(
        config=config,
        image=image,
        image_address=image_address,
        windows=windows,
        memory=memory,
        programs={
            unit.graph.name: _program(unit, entries[unit.graph.name], layout, windows, config) for unit in work.units
        },
        caches=_caches(work.graphs, layout, windows, config),
        spec=work.spec,
        end=windows[-1].base + windows[-1].size,
    )


def _address(item: Item, windows: tuple[Window, ...], config: Config) -> int:
    return windows[item.window].base + item.offset * config.cols


def _memory(layout: Layout, windows: tuple[Window, ...], config: Config) -> dict[int, bytes]:
    return {_address(layout.items[name], windows, config): data.tobytes() for name, data in layout.contents.items()}


def _symbol(name: str, item: Item, node: Node, windows: tuple[Window, ...], config: Config) -> Symbol:
    dtype = "id" if is_ids(node) else "uint8" if node.op == "softmax" else "int8"
    row_bytes = 4 if is_ids(node) else node.shape.cols.imm
    return Symbol(name, _address(item, windows, config), item.rows, item.pitch * config.cols, row_bytes, dtype)


def _caches(graphs: list[Graph], layout: Layout, windows: tuple[Window, ...], config: Config) -> dict[str, Symbol]:
    return {
        node.name: _symbol(node.name, layout.items[node.name], node, windows, config)
        for graph in graphs
        for node in graph.nodes
        if node.kind == "cache"
    }


def _program(unit: Unit, entry: int, layout: Layout, windows: tuple[Window, ...], config: Config) -> Program:
    graph = unit.graph
    inputs = {node.name: node for node in graph.nodes if node.op == "input"}
    outputs = {output.name: output for output in graph.outputs}
    return Program(
        name=graph.name,
        entry=entry,
        graph=graph,
        inputs={name: _symbol(name, layout.items[name], node, windows, config) for name, node in inputs.items()},
        outputs={
            name: _symbol(name, layout.items[output.cache or output_item(graph, name)], output.node, windows, config)
            for name, output in outputs.items()
        },
        instructions=unit.instructions,
        ops=tuple(unit.timeline.program),
        addresses=unit.addresses,
        buffers=unit.lowered.buffers,
        placement=unit.placement,
    )


def model_graphs(
    weights: Weights,
    ranges: Mapping[str, float],
    drafts: Mapping[str, NDArray[np.float64]] | None = None,
    chain_steps: int = 0,
    blocks: Mapping[str, Sequence[int]] | None = None,
) -> tuple[list[Graph], dict[str, float]]:
    """The graphs of a tiny-transformer target and its drafts, and all ranges that they need; see `compile_model`."""
    graphs = [target_graph(weights)]
    limits = dict(ranges)
    drafts, blocks = drafts or {}, blocks or {}
    for form, array in drafts.items():
        if form not in ("matmul", "table"):
            raise GraphError(f"draft '{form}' is neither matmul nor table")
        graphs.append(draft_graph(weights["E"], form, array))
        if chain_steps:
            graphs.append(draft_graph(weights["E"], form, array, chain_steps))
        if form == "matmul":
            limits.setdefault("draft_logits", float(np.abs(weights["E"] @ array).max()))
    for form, sizes in blocks.items():
        if form not in drafts:
            raise GraphError(f"blocks of draft '{form}', which is not among the drafts")
        graphs += [block_graph(weights, form, drafts[form], guesses) for guesses in sizes]
    return graphs, limits


def compile_model(
    config: Config,
    weights: Weights,
    ranges: Mapping[str, float],
    drafts: Mapping[str, NDArray[np.float64]] | None = None,
    chain_steps: int = 0,
    image_address: int = 0,
    blocks: Mapping[str, Sequence[int]] | None = None,
) -> CompiledModel:
    """The programs of a tiny-transformer target and its drafts, sharing one image, constants and memory layout.

    weights: E, Wq, Wk, Wv, Wo, W1, W2, Wout. ranges: by role x, q, k, v, scores (scaled), attention, h, f, y, logits,
    and draft_logits (taken from the draft if absent). drafts: `matmul` (Wd (D, V)) and `table` (L (V, V)).
    blocks: by draft, the numbers of guesses for which there is a program of the whole block.
    Programs: `target`, `draft_<form>`, with chain_steps `<form>_chain_<steps>`, and `<form>_block_<guesses>`. Blocks
    come last: all that is compiled without them stays as it is.
    """
    graphs, limits = model_graphs(weights, ranges, drafts, chain_steps, blocks)
    return compile_graphs(config, graphs, limits, image_address=image_address)
