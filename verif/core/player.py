# SPDX-License-Identifier: Apache-2.0
"""Plays programs on the core with the hostile memory, the golden model beside it, and compares what must be equal.

Guard bytes (0xAA) lie wherever no program has put its image or data so far. The models predict every byte, the trace
and, while the memory never waits, every counter.
"""

import logging
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from cocotb.triggers import Timer

from ga2.device.compare import Contents, content_differences, counter_differences, untouchable_differences
from ga2.device.protocol import FaultReport, RunResult
from ga2.device.rtl import CLOCK_NS
from ga2.golden.interpreter import Core, Outcome
from ga2.spec import Config
from ga2.timing.model import predict
from verif.core.hostile_device import Held, HostileDevice
from verif.core.stall_profile import ALWAYS_READY, NEVER, Profile, profile
from verif.core.trace_file import Shown, TraceFile
from verif.core.watched_memory import WatchedMemory
from verif.coverage.recorder import Recorder
from verif.coverage.run_bins import Paused
from verif.env.retirement import NO_FAULT, Retirement, expected_retirements
from verif.locate.ended import announce
from verif.locate.failed_program import FailedProgram
from verif.locate.report import report
from verif.programs.program import IMAGE_ADDRESS, MEMORY_BYTES, Program

GUARD = 0xAA
MILD = ("every other cycle", "one in five", "short pauses", "bursty", "each its own")


def run_golden(core: Core, memory: WatchedMemory, program: Program, entry: int = 0) -> Outcome:
    """What a program, already in memory, means."""
    core.load_image(memory, IMAGE_ADDRESS, len(program.image.instructions), len(program.image.constants))
    memory.accesses.clear()
    return core.run(memory, program.windows, entry, program.length, program.m)


def put(memory: WatchedMemory, program: Program) -> None:
    """A program's image and data into a memory."""
    for address, data in [*program.memory.items(), (IMAGE_ADDRESS, program.image.memory_bytes())]:
        memory.write(address, data)


def check_trace(shown: Sequence[Shown], expected: Sequence[Retirement]) -> None:
    """Every record is the next expected one."""
    assert len(shown) <= len(expected), f"trace: {shown[len(expected)].record} after the program's last"
    for each, due in zip(shown, expected, strict=False):
        assert due.agrees(each.record), f"trace: golden {due}, RTL {each.record}"


class Player:
    """The core, the models, and the trace of the program under way."""

    def __init__(self, dut: Any, config: Config) -> None:
        logging.getLogger(f"cocotb.{dut._name}").setLevel(logging.WARNING)  # not every register access
        self.config = config
        self.rtl = HostileDevice(dut, config, MEMORY_BYTES)
        self.coverage = Recorder.from_environment(config)
        self.core = self.coverage.core()
        self.memory = WatchedMemory(MEMORY_BYTES)
        self.guards = np.ones(MEMORY_BYTES, np.bool_)
        self.trace = TraceFile()
        self.profile = NEVER
        self._dut = dut
        self._held = Held(0, 0, 0)

    async def start(self) -> None:
        """Reset the core and fill external memory with guard bytes."""
        self._dut.rst_n.value = 0
        await Timer(CLOCK_NS, "ns")  # no clock yet: with random start values none may come before the reset
        await self.rtl.start()
        guards = bytes([GUARD]) * MEMORY_BYTES
        self.memory.write(0, guards)
        await self.rtl.write(0, guards)

    async def behave(self, rng: random.Random, ready: float) -> None:
        """Let the memory wait never, with this probability, or in one of the mild manners."""
        name = ALWAYS_READY if rng.random() < ready else rng.choice(MILD)
        await self.pause(profile(name, rng))

    async def pause(self, chosen: Profile) -> None:
        """Let the memory wait as a profile says."""
        self.profile = chosen
        await self.rtl.behave(chosen)

    async def place(self, program: Program) -> None:
        """Put a program into both memories, its image only into golden's."""
        put(self.memory, program)
        for address, data in program.memory.items():
            await self.rtl.write(address, data)
            self.guards[address : address + len(data)] = False
        self.guards[IMAGE_ADDRESS : IMAGE_ADDRESS + len(program.image.memory_bytes())] = False

    async def load(self, program: Program) -> None:
        """Put a program into both, and its image into the core."""
        announce(FailedProgram(self.config, program, profile=self.profile))
        await self.place(program)
        await self.rtl.load_image(program.image, IMAGE_ADDRESS)
        await self.rtl.set_windows(program.windows)
        self.trace.begin()
        self._held = self.rtl.held()

    def meaning(self, program: Program, entry: int = 0) -> Outcome:
        """Run a loaded program on the golden model."""
        return run_golden(self.core, self.memory, program, entry)

    async def run_compared(self, program: Program, entry: int = 0) -> RunResult:
        """Run a loaded program to its end: fault, trace, bytes and counters must be the models'."""
        outcome = self.meaning(program, entry)
        failed = FailedProgram(self.config, program, entry, self.profile)
        announce(failed)
        result = await self.rtl.run(entry, program.length, program.m)
        try:
            await self.compare(program, outcome, result)
        except AssertionError as error:
            hung = result.fault is not None and result.fault.name == "watchdog"
            raise AssertionError(report(failed, str(error), hung=hung)) from None
        return result

    async def compare(self, program: Program, outcome: Outcome, result: RunResult) -> None:
        """After a run that ended with HALT or a precise fault."""
        assert result.fault == outcome.fault, f"fault {result.fault}, golden {outcome.fault}"
        expected, shown = expected_retirements(outcome), self.trace.records()
        check_trace(shown, expected)
        assert len(shown) == len(expected), f"{len(shown)} records in the trace, golden {len(expected)}"
        seen = await self.rtl.contents()
        differences = content_differences(self._golden_contents(), seen)
        assert not differences, "; ".join(map(str, differences))
        self._check_guards(seen)
        if self.profile.ready:
            counted = counter_differences(RunResult(predict(self.config, outcome)), result)
            assert not counted, "; ".join(map(str, counted))
        held = self.rtl.held().since(self._held)
        paused = Paused(self.profile, held.read, held.write)
        self.coverage.passed(self.core, outcome, shown, timed=self.profile.ready, paused=paused)

    async def check_stopped(self, program: Program, fault: FaultReport, expected: Sequence[Retirement]) -> None:
        """After an imprecise fault, before CLEAR: registers, interrupt, trace, and the memory nothing may touch.

        `expected` is what the program would have retired.
        """
        await self.check_status_fault(fault)
        self._check_cut_trace(fault, expected)
        await self.check_untouched(program)
        self.coverage.stopped(self.core, fault, self.trace.records(), len(expected), self.rtl.stuck)

    async def check_status_fault(self, fault: FaultReport) -> None:
        """The registers show this fault, and the interrupt is raised."""
        assert self.rtl.irq, "no interrupt"
        status = await self.rtl.flags() - {"outstanding"}
        assert status == {"fault", "irq"}, f"STATUS shows {status}"
        seen = await self.rtl.fault_registers()
        assert seen == fault, f"fault {seen}, must be {fault}"

    async def check_untouched(self, program: Program) -> None:
        """Outside the writable windows nothing changed; guard bytes are guard bytes."""
        seen = await self.rtl.contents()
        differences = untouchable_differences(self._golden_contents(), seen, program.windows)
        assert not differences, "; ".join(map(str, differences))
        self._check_guards(seen)

    async def clear(self) -> None:
        """CLEAR once nothing is outstanding; then nothing is left of the fault."""
        await self.rtl.until_quiet()
        await self.rtl.command("clear")
        left = await self.rtl.flags(), await self.rtl.fault_registers()
        assert left == (set(), FaultReport("none", 0, 0)), f"after CLEAR: STATUS {left[0]}, {left[1]}"

    def oldest_pc(self, expected: Sequence[Retirement], end: int) -> int:
        """The pc that abort and watchdog report when they end a program in cycle `end`, from the trace.

        It is that of the oldest instruction in the window, which may retire in that very cycle.
        """
        shown = self.trace.records()
        return shown[-1].record.pc if shown and shown[-1].cycle == end else expected[len(shown)].pc

    def _check_cut_trace(self, fault: FaultReport, expected: Sequence[Retirement]) -> None:
        shown = self.trace.records()
        ended = bool(shown) and shown[-1].record.fault != NO_FAULT
        retired = shown[:-1] if ended else shown
        check_trace(retired, expected)
        if fault.name in ("abort", "watchdog"):
            assert not ended, f"trace: {shown[-1].record}, but the fault came from outside"
        else:
            assert ended, f"trace: no record of {fault}"
            record = shown[-1].record
            assert (record.fault, record.pc) == (fault.name, fault.pc), f"trace: {record} of {fault}"
            assert not retired or retired[-1].record.pc < fault.pc, f"trace: {retired[-1].record}, fault at {fault.pc}"

    def _check_guards(self, seen: Contents) -> None:
        """Guard bytes are what they were."""
        assert self.guards.any() and (seen.memory[self.guards] == GUARD).all(), "a guard byte changed"

    def _golden_contents(self) -> Contents:
        return Contents(self.memory.data, self.core.spad.data.reshape(-1), self.core.written_bytes.reshape(-1))
