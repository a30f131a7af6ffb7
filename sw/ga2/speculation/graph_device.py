# SPDX-License-Identifier: Apache-2.0
"""A device that runs the *graphs* of a compiled model, not its instructions.

It reads inputs and caches from external memory, interprets the graph in integers and writes the outputs back. The same
host loop on it and on a core must leave the same bytes: if they differ, the fault lies in scheduling, allocation,
encoding or the core; if they agree and are wrong, it lies in the graph, its quantisation or the loop. Counters stay 0.
"""

from collections.abc import Sequence

import numpy as np

from capra import CompiledModel, Program, interpret
from ga2.device.protocol import RunResult, Window
from ga2.isa.image import Image
from ga2.spec import COUNTERS


class GraphDevice:
    """Implements `ga2.device.protocol.Device` for one model. Memory starts as zeros."""

    def __init__(self, model: CompiledModel) -> None:
        self.model, self.config = model, model.config
        self.memory = np.zeros(model.end, np.uint8)

    async def load_image(self, image: Image, address: int) -> None:
        """The graphs are known already: the image is only put where the core would find it."""
        await self.write(address, image.memory_bytes())

    async def write(self, address: int, data: bytes) -> None:
        """Write external memory."""
        self.memory[address : address + len(data)] = np.frombuffer(data, np.uint8)

    async def read(self, address: int, size: int) -> bytes:
        """Read external memory."""
        return self.memory[address : address + size].tobytes()

    async def set_windows(self, windows: Sequence[Window]) -> None:
        """A graph's inputs and outputs lie at fixed addresses: nothing to do."""

    async def run(self, entry: str | int, length: int, m: int) -> RunResult:
        """Interpret the program's graph with LEN = `length` and M = `m`; store its outputs, caches from row LEN."""
        program = self._program(entry)
        inputs = {}
        for name, symbol in program.inputs.items():
            rows = program.graph.node(name).shape.rows.at(length, m)
            inputs[name] = symbol.unpack(await self.read(symbol.address, rows * symbol.pitch)).astype(np.int64)
        values = interpret(program.graph, self.model.spec, inputs, length, m)
        for output in program.graph.outputs:
            symbol = program.outputs[output.name]
            row = length if output.cache else 0
            await self.write(symbol.address + row * symbol.pitch, symbol.pack(values[output.node.name]))
        return RunResult({counter.name: 0 for counter in COUNTERS})

    def _program(self, entry: str | int) -> Program:
        for program in self.model.programs.values():
            if entry in (program.name, program.entry):
                return program
        raise KeyError(f"the model has no program {entry!r}: it has {', '.join(self.model.programs)}")
