# SPDX-License-Identifier: Apache-2.0
"""What the benches of the two units that move data share: the operation port, the scratchpad's reader, the slave.

One sample a cycle, in the middle of it.
"""

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from cocotb.triggers import RisingEdge

from ga2.device.clock import start_clock
from ga2.timing.ops import LdOp, StOp, Times

Op = TypeVar("Op", LdOp, StOp)


@dataclass
class Seen:
    """What happened, by cycle."""

    starts: list[int] = field(default_factory=list)
    dones: list[tuple[int, int]] = field(default_factory=list)  # (cycle, slot)
    writes: list[tuple[int, int]] = field(default_factory=list)  # (word address, value)
    errors: list[tuple[int, int, int]] = field(default_factory=list)  # (code, address, slot)
    busy: set[int] = field(default_factory=set)
    beats: int = 0


class MoverBench(Generic[Op]):
    """A unit under test, its clock and its scratchpad. A bench adds `step`, one cycle of its own signals.

    driven: the signals of m_axi that a slave drives.
    """

    def __init__(self, dut: Any, rng: random.Random, driven: Sequence[str]) -> None:
        self.dut = dut
        self.rng = rng
        self.cycle = 0
        self.read_request: int | None = None
        self.seen = Seen()
        self.channels: list[Any] = []
        self._driven = driven

    def connect(self) -> tuple[Any, list[Any]]:
        """A cocotb AXI slave on the bus, and its channels."""
        raise NotImplementedError

    async def step(self, op: Op | None = None, kill: bool = False) -> bool:
        """One cycle, offering `op`; True if it was accepted."""
        raise NotImplementedError

    async def reset(self, external: bool = False) -> None:
        """Start the clock and reset; `external` puts a cocotb AXI slave on the bus instead of the memory."""
        dut = self.dut
        for name, value in {"kill_i": 0, "op_valid_i": 0, "op_i": 0, "rd_data_i": 0, "external_i": external}.items():
            getattr(dut, name).value = int(value)
        for name in self._driven:
            getattr(dut, f"m_axi_{name}").value = 0
        dut.rst_ni.value = 0
        await start_clock(dut.clk_i)
        for _ in range(3):
            await RisingEdge(dut.clk_i)
        if external:
            slave, self.channels = self.connect()
            slave.log.setLevel(logging.ERROR)
            for channel in self.channels:
                channel.log.setLevel(logging.WARNING)
        dut.rst_ni.value = 1
        await RisingEdge(dut.clk_i)

    def pause(self, probability: float) -> None:
        """Random pauses on every channel of the external bus."""

        def pauses():
            while True:
                yield self.rng.random() < probability

        assert self.channels
        for channel in self.channels:
            channel.set_pause_generator(pauses())

    def sample(self, op: Op | None) -> bool:
        """Take down this cycle's operation port and scratchpad reader; True if `op` is accepted."""
        dut, seen = self.dut, self.seen
        self.cycle += 1
        accepted = op is not None and bool(dut.op_ready_o.value)
        if accepted:
            seen.starts.append(self.cycle)
        self.read_request = int(dut.rd_addr_o.value) if dut.rd_en_o.value else None
        if dut.done_o.value:
            seen.dones.append((self.cycle, int(dut.done_slot_o.value)))
        if dut.busy_o.value:
            seen.busy.add(self.cycle)
        if dut.err_valid_o.value:
            seen.errors.append((int(dut.err_code_o.value), int(dut.err_addr_o.value), int(dut.err_slot_o.value)))
        return accepted

    async def issue(self, ops: list[Op], gaps: list[int]) -> list[int]:
        """Offer the operations in order, each `gap` cycles after the former's start; the earliest starts."""
        earliest = []
        for op, gap in zip(ops, gaps, strict=True):
            for _ in range(gap):
                await self.step()
            earliest.append(self.cycle + 1)
            while not await self.step(op):
                assert self.cycle - earliest[-1] < 100_000, "never ready"
        return earliest

    async def drain(self, limit: int = 20_000) -> None:
        """Step until the unit is idle."""
        for _ in range(limit):
            await self.step()
            if not self.dut.busy_o.value and not self.dut.outstanding_o.value:
                return
        raise AssertionError("the unit never became idle")

    async def until_error(self, limit: int = 2000) -> None:
        """Step until an error is reported."""
        for _ in range(limit):
            if self.seen.errors:
                return
            await self.step()
        raise AssertionError("no error was reported")

    async def kill_until_quiet(self) -> None:
        """Keep the kill until nothing is outstanding, and one cycle more."""
        for _ in range(20_000):
            if not self.dut.outstanding_o.value:
                break
            await self.step(kill=True)
        else:
            raise AssertionError("bursts never ended")
        await self.step(kill=True)

    def check_times(self, ops: list[Op], times: list[Times]) -> None:
        """Start, done and busy in every cycle are the closed form's."""
        for index, (op, time) in enumerate(zip(ops, times, strict=True)):
            seen = (self.seen.starts[index], self.seen.dones[index][0])
            assert seen == (time.start, time.end), f"operation {index} {op}: start, done {seen}, model {time}"
        assert self.seen.busy == {cycle for time in times for cycle in range(time.start + 1, time.end + 1)}
