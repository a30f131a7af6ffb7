# SPDX-License-Identifier: Apache-2.0
"""The golden core: one instruction after another, as a program means.

    core = Core(load_config("nano"))
    core.load_image(memory, address, instructions, constants)
    outcome = core.run(memory, windows, entry=0, length=12, m=4)

The hardware overlaps instructions; its bytes, faults and retirements must equal these.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ga2.device.protocol import FaultReport, Window
from ga2.golden.constants import ConstantMemory
from ga2.golden.execute import EXECUTE, ExecutionFault
from ga2.golden.memory import Memory
from ga2.golden.resolve import Resolved, State, check_start, resolve
from ga2.golden.scratchpad import Scratchpad
from ga2.isa.encoding import CONSTANT_BYTES, WORD_BYTES, Constant, Instruction, decode
from ga2.spec import Config

REGISTER_LIMIT = 0xFFFF
"""What ENTRY, LEN and M count up to: larger values saturate, so that they are too large and not wrapped."""

UNDECODED = ("pc", "illegal")
"""Precise faults of words that are no instructions."""


@dataclass(frozen=True)
class WriteSet:
    """What one instruction wrote: scratchpad words (address -> bytes) and external memory (address, bytes)."""

    words: dict[int, bytes]
    external: list[tuple[int, bytes]]


@dataclass(frozen=True)
class Retired:
    """One retirement. `dst` is the destination's [lo, hi): words, or absolute bytes for a store; None for a no-op.

    HALT and an instruction with a precise fault do not retire; `fault` marks one stopped by an imprecise fault.
    """

    seq: int
    pc: int
    op: str
    unit: str
    dst: tuple[int, int] | None
    fault: str | None = None
    writes: WriteSet | None = None


@dataclass(frozen=True)
class Outcome:
    """How a run ended. `resolved` are the instructions dispatched, HALT included: what the timing model needs.

    `refused` is the instruction that dispatch refused with a precise fault, if its word means one at all.
    """

    fault: FaultReport | None
    retirements: list[Retired]
    resolved: list[Resolved] = field(repr=False)
    refused: Instruction | None = None


def destination(resolved: Resolved) -> tuple[int, int] | None:
    """The range that the retirement trace reports."""
    if resolved.ext and resolved.ext.write:
        return resolved.ext.lo, resolved.ext.hi
    return (resolved.writes[0].lo, resolved.writes[0].hi) if resolved.writes else None


class Core:
    """One core of a configuration. The scratchpad and the loaded image persist between runs.

    `undefined_reads` lists (pc, operand) of every read of scratchpad words that nothing has written: a mistake in the
    program, because the hardware's scratchpad starts undefined.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.memory = Memory(0)
        self.spad = Scratchpad(config.spad_words, config.cols)
        self.constants = ConstantMemory(config.cmem_depth)
        self.instructions: list[int] = [0] * config.imem_depth
        self.undefined_reads: list[tuple[int, str]] = []

    @property
    def written_bytes(self) -> NDArray[np.bool_]:
        """Which scratchpad bytes have been written: [words, cols]."""
        return np.broadcast_to(self.spad.written[:, np.newaxis], self.spad.data.shape)

    def load_image(self, memory: Memory, address: int, instructions: int, constants: int) -> None:
        """The LOAD command: read an image's instructions, then its constants; BusError beyond the memory."""
        if instructions > self.config.imem_depth or constants > self.config.cmem_depth:
            raise ValueError(
                f"{instructions} instructions and {constants} constants: {self.config.name} holds "
                f"{self.config.imem_depth} and {self.config.cmem_depth}"
            )
        split = address + instructions * WORD_BYTES
        code = memory.read(address, instructions * WORD_BYTES).tobytes()
        data = memory.read(split, constants * CONSTANT_BYTES).tobytes()
        for pc in range(instructions):
            self.instructions[pc] = int.from_bytes(code[pc * WORD_BYTES : (pc + 1) * WORD_BYTES], "little")
        rows = range(0, len(data), CONSTANT_BYTES)
        self.constants.load([Constant.from_bytes(data[at : at + CONSTANT_BYTES]) for at in rows])

    def run(
        self,
        memory: Memory,
        windows: Sequence[Window],
        entry: int,
        length: int,
        m: int,
        record_writes: bool = False,
    ) -> Outcome:
        """Run from instruction `entry` with LEN = `length` and M = `m`, to HALT or the first fault.

        After an imprecise fault the scratchpad and the writable windows are undefined; here they are as far as the
        sequential program got.
        """
        self.memory = memory
        entry, length, m = (min(value, REGISTER_LIMIT) for value in (entry, length, m))
        state = State(length, m, tuple(windows))
        outcome = Outcome(check_start(self.config, state, entry), [], [])
        pc = entry
        while outcome.fault is None:
            resolved = resolve(self._fetch(pc), pc, self.config, state)
            if isinstance(resolved, FaultReport):
                refused = None if resolved.name in UNDECODED else decode(self._fetch(pc))
                return Outcome(resolved, outcome.retirements, outcome.resolved, refused)
            outcome.resolved.append(resolved)
            if resolved.halt:
                break
            retired, fault = self._execute(resolved, len(outcome.retirements), record_writes)
            outcome.retirements.append(retired)
            if fault:
                return Outcome(fault, outcome.retirements, outcome.resolved)
            pc += 1
        return outcome

    def _fetch(self, pc: int) -> int:
        return self.instructions[pc] if pc < self.config.imem_depth else 0

    def _execute(self, resolved: Resolved, seq: int, record_writes: bool) -> tuple[Retired, FaultReport | None]:
        if record_writes:
            self.spad.record, self.memory.record = [], []
        fault = None
        if resolved.op is not None:
            try:
                EXECUTE[type(resolved.op)](resolved.op, self)
            except ExecutionFault as error:
                fault = FaultReport(error.name, resolved.pc, error.address)
        self.undefined_reads += [(resolved.pc, name) for name in dict.fromkeys(self.spad.undefined)]
        self.spad.undefined.clear()
        retired = Retired(
            seq,
            resolved.pc,
            resolved.instruction.op,
            resolved.unit,
            destination(resolved),
            fault.name if fault else None,
            self._recorded() if record_writes else None,
        )
        return retired, fault

    def _recorded(self) -> WriteSet:
        words = {
            int(at): data.tobytes()
            for addresses, rows in self.spad.record or ()
            for at, data in zip(addresses, rows, strict=True)
        }
        external = list(self.memory.record or ())
        self.spad.record = self.memory.record = None
        return WriteSet(words, external)
