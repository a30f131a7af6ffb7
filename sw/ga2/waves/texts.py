# SPDX-License-Identifier: Apache-2.0
"""What an instruction is called in a waveform: its mnemonic and what it computes, in the compiler's names."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from capra import CompiledModel, Program
from capra.node import Node
from capra.ops import Op

TEXT_BYTES = 40  # as wide as the texts of verif/tb/ga2_wave_probe.sv
HALT = "HALT"


def _product(op: Op, node: Node) -> str:
    left, right = node.inputs[:2]
    streamed = op.operands["right"].buffer if op.fields["right_mode"] == "panel" else right.name
    product = f"{left.name}.{streamed}{'^T' if node.transpose_b else ''}"
    if node.residual:
        product = f"{node.inputs[2].name} + {product}"
    return f"{node.name} = {f'relu({product})' if node.relu else product}"


def _meaning(op: Op, nodes: Mapping[str, Node]) -> str:
    if op.opcode == "ST":
        assert op.ext is not None
        return f"{op.node.removesuffix(' out')} -> {op.ext.item}"
    node = nodes.get(op.node)
    if node is None or op.opcode == "LD":  # a chunk of a weight, or an input as it is
        return op.node
    if op.opcode == "MM":
        return _product(op, node)
    if op.opcode == "LDG":
        table, ids = node.inputs
        return f"{node.name} = {table.name}[{ids.name}]"
    return f"{node.name} = {node.op}({', '.join(each.name for each in node.inputs)})"


def instruction_text(op: Op, program: Program) -> str:
    """`MM q = x.Wq[0:2]`: the mnemonic, the tensor, and what it is made of, in at most TEXT_BYTES ASCII characters."""
    nodes = {node.name: node for node in program.graph.nodes}
    text = f"{op.opcode} {_meaning(op, nodes)}".encode("ascii", "replace").decode()
    return text if len(text) <= TEXT_BYTES else f"{text[: TEXT_BYTES - 1]}~"


def texts(model: CompiledModel) -> dict[int, str]:
    """The text of every instruction of a model's image, by pc."""
    found = {}
    for program in model.programs.values():
        for index, op in enumerate(program.ops):
            found[program.entry + index] = instruction_text(op, program)
        found[program.entry + len(program.ops)] = HALT
    return found


def write_hex(path: Path, lines: Iterable[str]) -> None:
    """One text a line, as $readmemh reads it: right-aligned ASCII, zeros before it."""
    path.write_text("".join(f"{line.encode('ascii').hex().zfill(2 * TEXT_BYTES)}\n" for line in lines))
