# SPDX-License-Identifier: Apache-2.0
"""A compiled program on the golden core, and every tensor that it computed, for comparison with `capra.interpret`."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capra.compile import CompiledModel, Program
from capra.node import Node
from capra.shapes import is_ids
from ga2.golden.interpreter import Core, Outcome
from ga2.golden.memory import Memory

Tensors = dict[str, NDArray]


@dataclass(frozen=True)
class Execution:
    """Outputs by name, every computed or loaded tensor by node name, and the core's own account."""

    outputs: Tensors
    tensors: Tensors
    outcome: Outcome


class Machine:
    """A golden core with a model loaded: image, windows and weights in place. Caches persist between runs."""

    def __init__(self, model: CompiledModel) -> None:
        self.model = model
        self.memory = Memory()
        self.memory.write(model.image_address, model.image.memory_bytes())
        for address, data in model.memory.items():
            self.memory.write(address, data)
        self.core = Core(model.config)
        image = model.image
        self.core.load_image(self.memory, model.image_address, len(image.instructions), len(image.constants))

    def run(self, name: str, inputs: Mapping[str, NDArray], length: int = 0, m: int = 1) -> Execution:
        """Write the inputs, run a program, read everything back. RuntimeError if the program faults."""
        program = self.model.programs[name]
        for key, values in inputs.items():
            symbol = program.inputs[key]
            self.memory.write(symbol.address, symbol.pack(values))
        outcome = self.core.run(self.memory, self.model.windows, program.entry, length, m, record_writes=True)
        if outcome.fault:
            raise RuntimeError(f"program {name} faulted: {outcome.fault}")
        outputs = {key: self.output(program, key, length, m) for key in program.outputs}
        return Execution(outputs, self.tensors(program, outcome, length, m), outcome)

    def output(self, program: Program, name: str, length: int, m: int) -> NDArray:
        """The rows that the program stored; for a cache the rows from LEN on."""
        symbol = program.outputs[name]
        output = next(output for output in program.graph.outputs if output.name == name)
        first = length if output.cache else 0
        rows = output.node.shape.rows.at(length, m)
        data = self.memory.read(symbol.address + first * symbol.pitch, rows * symbol.pitch)
        return symbol.unpack(data.tobytes())

    def tensors(self, program: Program, outcome: Outcome, length: int, m: int) -> Tensors:
        """Every tensor with a place in the scratchpad, as it was when it had just been made."""
        made: dict[str, dict[int, bytes]] = {}
        for retired in outcome.retirements:
            op = program.ops[retired.pc - program.entry]
            if op.opcode != "ST" and retired.writes:
                made.setdefault(op.node, {}).update(retired.writes.words)
        found: Tensors = {}
        for node in program.graph.nodes:
            if node.name not in program.placement.places:
                continue
            words: dict[int, bytes] = {}
            for source in sources(node):
                words |= made.get(source.name, {})
            found[node.name] = self.read_back(program, node, words, length, m)
        return found

    def read_back(self, program: Program, node: Node, words: Mapping[int, bytes], length: int, m: int) -> NDArray:
        """A tensor (m, n) from the words that its makers wrote."""
        place = program.placement.of(node)
        rows, cols = node.shape.at(length, m)
        base = program.addresses[place.buffer] + place.row.at(length, m) * place.pitch
        count = 1 if is_ids(node) else -(-cols // self.model.config.cols)
        raw = [b"".join(words[base + row * place.pitch + i] for i in range(count)) for row in range(rows)]
        data = np.frombuffer(b"".join(raw), np.uint8).reshape(rows, count * self.model.config.cols)
        if is_ids(node):
            return np.ascontiguousarray(data[:, :4]).view("<u4")
        return data[:, :cols].view(np.uint8 if node.op == "softmax" else np.int8)


def sources(node: Node) -> list[Node]:
    """The nodes whose operations write a tensor: itself, or what a view shows."""
    if node.op in ("concat_rows", "slice_rows"):
        return [source for operand in node.inputs for source in sources(operand)]
    return [node]
