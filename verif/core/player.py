# SPDX-License-Identifier: Apache-2.0
"""Plays programs on the core with the hostile memory, the golden model beside it, and compares what must be equal.

Guard bytes (0xAA) lie everywhere that no window and no image covers. The models predict every byte, the trace and,
while the memory never waits, every counter.
"""

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from cocotb.triggers import Timer
from cocotb.utils import get_sim_time

from ga2.device.compare import Contents, content_differences, counter_differences, untouchable_differences
from ga2.device.protocol import FaultReport, RunResult
from ga2.device.rtl import CLOCK_NS
from ga2.golden.interpreter import Core, Outcome
from ga2.spec import Config
from ga2.timing.model import predict
from verif.core.hostile_device import HostileDevice
from verif.core.random_programs import IMAGE_ADDRESS, MEMORY_BYTES, TABLE_ADDRESS, RandomProgram, random_program
from verif.core.stall_profile import Profile, profile
from verif.core.watched_memory import WatchedMemory
from verif.env.retire_monitor import RetireMonitor
from verif.env.retirement import NO_FAULT, Retirement, expected_retirements

GUARD = 0xAA
NEXT_LENGTH = 6  # random instructions of the program after a fault
MILD = ("every other cycle", "one in five", "short pauses", "bursty", "each its own")


@dataclass(frozen=True)
class Seen:
    """One record of the trace and the cycle in which it was shown."""

    cycle: int
    record: Retirement


def run_golden(core: Core, memory: WatchedMemory, program: RandomProgram, entry: int = 0) -> Outcome:
    """What a program, already in memory, means."""
    core.load_image(memory, IMAGE_ADDRESS, len(program.image.instructions), len(program.image.constants))
    memory.accesses.clear()
    return core.run(memory, program.windows, entry, program.length, program.m)


def put(memory: WatchedMemory, program: RandomProgram) -> None:
    """A program's image and data into a memory."""
    for address, data in [*program.memory.items(), (IMAGE_ADDRESS, program.image.memory_bytes())]:
        memory.write(address, data)


class Player:
    """The core, the models, and the trace of the program under way."""

    def __init__(self, dut: Any, config: Config) -> None:
        logging.getLogger(f"cocotb.{dut._name}").setLevel(logging.WARNING)  # not every register access
        self.config = config
        self.rtl = HostileDevice(dut, config, MEMORY_BYTES)
        self.core = Core(config)
        self.memory = WatchedMemory(MEMORY_BYTES)
        self.trace: list[Seen] = []
        self.profile = Profile("always ready", 1)
        self._dut = dut

    async def start(self) -> None:
        """Reset the core and fill external memory with guard bytes."""
        self._dut.rst_n.value = 0
        await Timer(CLOCK_NS, "ns")  # no clock yet: with random start values none may come before the reset
        RetireMonitor(self._dut, "trace", self._dut.clk, reset_n=self._dut.rst_n, callback=self._record)
        await self.rtl.start()
        guards = bytes([GUARD]) * MEMORY_BYTES
        self.memory.write(0, guards)
        await self.rtl.write(0, guards)

    async def behave(self, rng: random.Random, ready: float) -> None:
        """Let the memory wait never, with this probability, or in one of the mild manners."""
        name = "always ready" if rng.random() < ready else rng.choice(MILD)
        await self.pause(profile(name, rng))

    async def pause(self, chosen: Profile) -> None:
        """Let the memory wait as a profile says."""
        self.profile = chosen
        await self.rtl.behave(chosen)

    async def load(self, program: RandomProgram) -> None:
        """Put a program into both, and its image into the core."""
        put(self.memory, program)
        for address, data in program.memory.items():
            await self.rtl.write(address, data)
        await self.rtl.load_image(program.image, IMAGE_ADDRESS)
        await self.rtl.set_windows(program.windows)
        self.trace.clear()

    def meaning(self, program: RandomProgram, entry: int = 0) -> Outcome:
        """Run a loaded program on the golden model."""
        return run_golden(self.core, self.memory, program, entry)

    async def run_compared(self, program: RandomProgram, entry: int = 0) -> RunResult:
        """Run a loaded program to its end: fault, trace, bytes and counters must be the models'."""
        outcome = self.meaning(program, entry)
        result = await self.rtl.run(entry, program.length, program.m)
        await self.compare(outcome, result)
        return result

    async def compare(self, outcome: Outcome, result: RunResult) -> None:
        """After a run that ended with HALT or a precise fault."""
        assert result.fault == outcome.fault, f"fault {result.fault}, golden {outcome.fault}"
        expected = expected_retirements(outcome)
        self.check_trace(expected)
        assert len(self.trace) == len(expected), f"{len(self.trace)} records in the trace, golden {len(expected)}"
        seen = await self.rtl.contents()
        differences = content_differences(self._golden_contents(), seen)
        assert not differences, "; ".join(map(str, differences))
        if self.profile.ready:
            counted = counter_differences(RunResult(predict(self.config, outcome)), result)
            assert not counted, "; ".join(map(str, counted))

    async def run_next(self, rng: random.Random) -> None:
        """The program after whatever happened is right in full."""
        await self.behave(rng, ready=0.7)
        program = random_program(self.config, rng.getrandbits(32), NEXT_LENGTH)
        await self.load(program)
        try:
            await self.run_compared(program)
        except AssertionError as error:
            raise AssertionError(f"the next program: {error}") from None

    def check_trace(self, expected: Sequence[Retirement]) -> None:
        """Every record so far is the next expected one."""
        assert len(self.trace) <= len(expected), f"trace: {self.trace[len(expected)].record} after the program's last"
        for seen, due in zip(self.trace, expected, strict=False):
            assert due.agrees(seen.record), f"trace: golden {due}, RTL {seen.record}"

    async def check_stopped(self, program: RandomProgram, fault: FaultReport, expected: Sequence[Retirement]) -> None:
        """After an imprecise fault, before CLEAR: registers, interrupt, trace, and the memory nothing may touch.

        `expected` is what the program would have retired.
        """
        await self.check_status_fault(fault)
        self._check_cut_trace(fault, expected)
        await self.check_untouched(program)

    async def check_status_fault(self, fault: FaultReport) -> None:
        """The registers show this fault, and the interrupt is raised."""
        assert self.rtl.interrupt, "no interrupt"
        flags = {name: await self.rtl.status(name) for name in ("busy", "done", "fault", "loading", "irq")}
        wanted = {"busy": False, "done": False, "fault": True, "loading": False, "irq": True}
        assert flags == wanted, f"STATUS {flags}, must be {wanted}"
        seen = await self.rtl.fault()
        assert seen == fault, f"fault {seen}, must be {fault}"

    async def check_untouched(self, program: RandomProgram) -> None:
        """Outside the writable windows nothing changed; guard bytes are guard bytes."""
        seen = await self.rtl.contents()
        differences = untouchable_differences(self._golden_contents(), seen, program.windows)
        assert not differences, "; ".join(map(str, differences))
        guards = np.ones(MEMORY_BYTES, np.bool_)
        for base, data in program.memory.items():  # the windows of random programs
            guards[base : base + len(data)] = False
        guards[:TABLE_ADDRESS] = False  # former images
        assert guards.any() and (seen.memory[guards] == GUARD).all(), "a guard byte changed"

    async def clear(self) -> None:
        """CLEAR once nothing is outstanding; then nothing is left of the fault."""
        await self.rtl.until_quiet()
        await self.rtl.command("clear")
        left = await self.rtl.get("STATUS"), await self.rtl.fault()
        assert left == (0, FaultReport("none", 0, 0)), f"after CLEAR: STATUS {left[0]:#x}, {left[1]}"

    def oldest_pc(self, expected: Sequence[Retirement], end: int) -> int:
        """The pc that abort and watchdog report when they end a program in cycle `end`, from the trace.

        It is that of the oldest instruction in the window, which may retire in that very cycle.
        """
        last = self.trace[-1] if self.trace else None
        return last.record.pc if last and last.cycle == end else expected[len(self.trace)].pc

    def _check_cut_trace(self, fault: FaultReport, expected: Sequence[Retirement]) -> None:
        *_, last = [None, *self.trace]
        shown = last is not None and last.record.fault != NO_FAULT
        if shown:
            self.trace.pop()
        self.check_trace(expected)
        if fault.name in ("abort", "watchdog"):
            assert not shown, f"trace: {last} of an outside fault"
        else:
            assert shown and last is not None, f"trace: no record of {fault}"
            record = last.record
            assert (record.fault, record.pc) == (fault.name, fault.pc), f"trace: {record} of {fault}"
            retired = [seen.record.pc for seen in self.trace]
            assert not retired or retired[-1] < fault.pc, f"trace: pc {retired[-1]} retired, fault at {fault.pc}"

    def _golden_contents(self) -> Contents:
        return Contents(self.memory.data, self.core.spad.data.reshape(-1), self.core.written_bytes.reshape(-1))

    def _record(self, record: Retirement) -> None:
        self.trace.append(Seen(int(get_sim_time("ns")) // CLOCK_NS, record))

