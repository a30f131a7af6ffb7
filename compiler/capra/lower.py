# SPDX-License-Identifier: Apache-2.0
"""Lowering: a fused, placed graph to operations and their data dependences, in no particular order yet.

A weight streams through the scratchpad in chunks of column panels: one LD brings a chunk, one MM a product uses it.
Products that share a weight share its chunks, so a program reads every weight once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from capra.affine import LEN, Affine
from capra.constants import product_constants, softmax_factors, uses_row_multipliers, vec_factors
from capra.graph import Graph, Output
from capra.layout import output_item, panel_item, rows_item
from capra.node import Node
from capra.ops import ExtRef, Op, Ref
from capra.place import Buffer, Placement, has_place, multiplier_buffer, row_words
from capra.quantise import QuantSpec, streams_as_panels
from ga2.spec import Config

ONE = Affine(1)
Chunking = Mapping[str, tuple[int, ...]]


@dataclass
class Lowered:
    """Operations, what each must come after, and every buffer including the weights' chunks."""

    ops: list[Op] = field(default_factory=list)
    after: dict[Op, set[Op]] = field(default_factory=dict)
    buffers: dict[str, Buffer] = field(default_factory=dict)


def lower(graph: Graph, placement: Placement, spec: QuantSpec, config: Config, chunking: Chunking) -> Lowered:
    """Operations of the graph. chunking: column panels in each chunk, by weight; single panels by default."""
    lowering = _Lowering(graph, placement, spec, config, chunking)
    for node in graph.nodes:
        lowering.node(node)
    for output in graph.outputs:
        lowering.output(output)
    return lowering.result


class _Lowering:
    """One method an operation. `makers` are the operations that must be over before a tensor is complete."""

    def __init__(
        self, graph: Graph, placement: Placement, spec: QuantSpec, config: Config, chunking: Chunking
    ) -> None:
        self.graph, self.placement, self.spec, self.config, self.chunking = graph, placement, spec, config, chunking
        self.result = Lowered(buffers=dict(placement.buffers))
        self.makers: dict[str, set[Op]] = {}
        self.loaded: dict[str, Op] = {}

    def add(self, op: Op, after: set[Op]) -> Op:
        self.result.ops.append(op)
        self.result.after[op] = after
        return op

    def ref(self, node: Node, word: int = 0) -> Ref:
        found = self.placement.of(node)
        return Ref(found.buffer, found.pitch, found.row, word)

    def made(self, *nodes: Node) -> set[Op]:
        return {op for node in nodes for op in self.makers.get(node.name, ())}

    def loads_into(self, node: Node) -> set[Op]:
        """Loads of the other parts of the concatenation that `node` is made in.

        They write the same bank, so the core runs one after the other; a load that waits holds up all later loads.
        """
        wholes = [reader for reader in self.graph.consumers(node) if reader.op == "concat_rows"]
        return self.made(*(part for whole in wholes for part in whole.inputs if part.op == "input"))

    def node(self, node: Node) -> None:
        """Operations that make one tensor; views make none."""
        if node.op == "weight":
            made = {self.load(node, rows_item(node.name))} if has_place(self.graph, node) else set()
        elif node.op == "input":
            made = {self.load(node, node.name)}
        elif node.op in ("concat_rows", "slice_rows"):
            made = self.made(*node.inputs)
        elif node.op == "matmul":
            made = self.matmul(node)
        else:
            rule = {"gather": self.gather, "softmax": self.softmax, "argmax": self.argmax}.get(node.op, self.vec)
            made = {rule(node)}
        self.makers[node.name] = made

    def load(self, node: Node, item: str) -> Op:
        dims = {"rows": node.shape.rows, "words": Affine(row_words(node, self.config))}
        return self.add(Op("LD", node.name, dims, {"dst": self.ref(node)}, ext=ExtRef(item)), set())

    def gather(self, node: Node) -> Op:
        table, ids = node.inputs
        dims = {"rows": node.shape.rows, "words": Affine(row_words(node, self.config))}
        operands = {"dst": self.ref(node), "ids": self.ref(ids)}
        fields = {"limit": table.shape.rows.imm}
        return self.add(Op("LDG", node.name, dims, operands, fields, ExtRef(rows_item(table.name))), self.made(ids))

    def matmul(self, node: Node) -> set[Op]:
        left, right = node.inputs[:2]
        before = self.loads_into(node)
        if not streams_as_panels(node, right):
            mode = "transposed" if node.transpose_b else "rows"
            after = self.made(*node.inputs) | before
            return {self.product(node, mode, self.ref(right), after, 0, node.shape.cols)}
        columns, depth = right.shape.cols.imm, right.shape.rows.imm
        tiles = -(-columns // self.config.cols)
        made = set()
        last = 0
        for size in self.chunking.get(right.name, (1,) * tiles):
            first, last = last, last + size
            loader = self.chunk(right.name, depth, first, last)
            width = min(columns, last * self.config.cols) - first * self.config.cols
            after = self.made(left, *node.inputs[2:]) | before | {loader}
            made.add(self.product(node, "panel", loader.operands["dst"], after, first, Affine(width)))
        return made

    def chunk(self, weight: str, depth: int, first: int, last: int) -> Op:
        """The load of panels first .. last - 1 of a weight, each `depth` words."""
        name = f"{weight}[{first}:{last}]"
        if name not in self.loaded:
            words = (last - first) * depth
            self.result.buffers[name] = Buffer(name, ONE, words)
            dims = {"rows": ONE, "words": Affine(words)}
            source = ExtRef(panel_item(weight), word=first * depth)
            op = Op("LD", name, dims, {"dst": Ref(name, words)}, ext=source, weight=weight)
            self.loaded[name] = self.add(op, set())
        return self.loaded[name]

    def product(self, node: Node, mode: str, right: Ref, after: set[Op], tile: int, columns: Affine) -> Op:
        """One MM: column tiles from `tile` on, `columns` wide."""
        left = node.inputs[0]
        operands = {"out": self.ref(node, tile), "left": self.ref(left), "right": right}
        constants = product_constants(node, self.spec)
        fields: dict[str, int | str] = {
            "right_mode": mode,
            "unsigned_left": int(left.op == "softmax"),
            "uniform": int(len(constants) == 1 and mode != "panel"),
            "lo": 0 if node.relu else -128,
            "hi": 127,
        }
        if node.residual:
            operands["aux"], fields["residual"] = self.ref(node.inputs[2], tile), 1
        if uses_row_multipliers(node):
            operands["aux"], fields["rowmul"] = Ref(multiplier_buffer(left), 1), 1
        if mode == "panel":
            constants = constants[tile * self.config.cols :][: columns.imm]
        dims = {"m": node.shape.rows, "n": columns, "k": left.shape.cols}
        return self.add(Op("MM", node.name, dims, operands, fields, constants=constants), after)

    def softmax(self, node: Node) -> Op:
        factors = softmax_factors(node, self.graph.consumers(node), self.spec)
        rows, cols = node.shape.rows, node.shape.cols
        dims = {"rows": rows, "n": cols, "len": cols - rows + 1 if node.causal else cols}
        operands = {
            "dst": self.ref(node),
            "src": self.ref(node.inputs[0]),
            "rmul": Ref(multiplier_buffer(node), 1),
        }
        fields = {"emul": factors.emul, "scale": factors.scale, "step": int(node.causal), "norm": int(node.norm)}
        return self.add(Op("SM", node.name, dims, operands, fields), self.made(*node.inputs))

    def vec(self, node: Node) -> Op:
        factors = vec_factors(node, self.spec)
        operands = {"out": self.ref(node), "a": self.ref(node.inputs[0])}
        fields = {"ma": factors.ma, "shift": factors.shift, "lo": 0 if node.op == "relu" else -128, "hi": 127}
        if len(node.inputs) == 2:
            operands["b"] = self.ref(node.inputs[1])
            fields |= {"second": 1, "mb": factors.mb}
        dims = {"rows": node.shape.rows, "n": node.shape.cols}
        return self.add(Op("VEC", node.name, dims, operands, fields), self.made(*node.inputs))

    def argmax(self, node: Node) -> Op:
        source = node.inputs[0]
        dims = {"rows": source.shape.rows, "n": source.shape.cols}
        operands = {"out": self.ref(node), "src": self.ref(source)}
        return self.add(Op("AMAX", node.name, dims, operands), self.made(source))

    def output(self, output: Output) -> None:
        node = output.node
        dims = {"rows": node.shape.rows, "words": Affine(row_words(node, self.config))}
        target = ExtRef(output.cache, LEN) if output.cache else ExtRef(output_item(self.graph, output.name))
        op = Op("ST", f"{output.name} out", dims, {"src": self.ref(node)}, ext=target)
        self.add(op, self.made(node))
