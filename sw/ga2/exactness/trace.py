# SPDX-License-Identifier: Apache-2.0
"""A golden core that keeps what every instruction wrote, so that tensors that never leave the core can be compared."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from capra import Program
from ga2.device.protocol import FaultReport, Window
from ga2.golden.interpreter import Core, Outcome, Retired
from ga2.golden.memory import Memory
from ga2.golden.resolve import Resolved
from ga2.golden.scratchpad import Scratchpad
from ga2.spec import Config

Rows = dict[str, NDArray[np.uint8]]
COMPUTING = ("LDG", "MM", "SM", "VEC", "AMAX")


class KeepingScratchpad(Scratchpad):
    """A scratchpad that also keeps a copy of every array written, in order."""

    def __init__(self, words: int, cols: int) -> None:
        super().__init__(words, cols)
        self.kept: list[NDArray[np.uint8]] = []

    def write_rows(self, start: int, pitch: int, data: NDArray[np.uint8] | NDArray[np.int8]) -> None:
        """Write rows of bytes [rows, n], and keep them."""
        self.kept.append(data.copy().view(np.uint8))
        super().write_rows(start, pitch, data)


class TracedCore(Core):
    """`written` maps the pc of each instruction of the last program to the arrays that it wrote, bytes [rows, n]."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.keeping = KeepingScratchpad(config.spad_words, config.cols)
        self.spad = self.keeping
        self.written: dict[int, list[NDArray[np.uint8]]] = {}

    def run(
        self,
        memory: Memory,
        windows: Sequence[Window],
        entry: int,
        length: int,
        m: int,
        record_writes: bool = False,
    ) -> Outcome:
        """One program; what the former one wrote is forgotten."""
        self.written.clear()
        return super().run(memory, windows, entry, length, m, record_writes)

    def _execute(self, resolved: Resolved, seq: int, record_writes: bool) -> tuple[Retired, FaultReport | None]:
        self.keeping.kept = []
        result = super()._execute(resolved, seq, record_writes)
        self.written[resolved.pc] = self.keeping.kept
        return result


def inner_rows(program: Program, core: TracedCore) -> Rows:
    """Every computed tensor of the last program, a row a row of the block, by node.

    A product that is made in several pieces is several arrays; a softmax is its bytes and its row multipliers.
    """
    rows: Rows = {}
    for offset, op in enumerate(program.ops):
        arrays = core.written.get(program.entry + offset, [])
        if op.opcode == "SM" and arrays:
            rows[op.node], rows[f"{op.node}.multiplier"] = arrays
        elif op.opcode in COMPUTING and arrays:
            name = op.node if op.node not in rows else f"{op.node}, pc {program.entry + offset}"
            rows[name] = np.vstack(arrays)
    return rows
