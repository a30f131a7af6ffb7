# SPDX-License-Identifier: Apache-2.0
"""The simulated core as a device: registers over AXI4-Lite, external memory in the testbench.

External memory and scratchpad move through files in the simulator's folder on commands of `verif/tb/ga2_tb.sv`,
because a memory model in Python would cost most of the simulation's speed. Writes are collected and loaded before
the next program; a dump is read only when something is asked for.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cocotb
import numpy as np
from cocotb.task import Task
from cocotb.triggers import Event, Lock, RisingEdge, SimTimeoutError, with_timeout
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster

from ga2.device.clock import CLOCK_NS, start_clock
from ga2.device.compare import Contents
from ga2.device.hexfile import Bytes, Mask, read_entries, write_entries
from ga2.device.identity import identity
from ga2.device.protocol import WINDOWS, FaultReport, RunResult, Window
from ga2.isa.image import Image
from ga2.spec import COUNTERS, ISA, REGISTERS, Config

RESET_CYCLES = 4
WATCHDOG_CYCLES = 100_000  # the core's own limit without progress
TIMEOUT_CYCLES = 1_000_000  # the host's limit for one program
TB_DUMP_MEMORY, TB_LOAD_MEMORY, TB_DUMP_SCRATCHPAD = 1, 2, 3
TB_DUMP_PROGRAM, TB_DUMP_LAST_PROGRAM = 4, 5
TB_LOG_EVENTS, TB_LOG_STATE = 6, 7


class DeviceError(RuntimeError):
    """The core did not do what the host asked: a refused command, a hang, a failed load."""


def _bit(register: str, field: str) -> int:
    return 1 << REGISTERS[register].fields[field]


class RtlDevice:
    """Drives the testbench's top level `dut`. `memory_bytes` is the size of its external memory."""

    def __init__(self, dut: Any, config: Config, memory_bytes: int) -> None:
        self.config = config
        self.memory_bytes = memory_bytes
        self._dut = dut
        self._commanding = Lock()  # agents share the testbench's one command port
        self._axil: AxiLiteMaster
        self._interrupt: Task[int]
        self._entries: dict[str, int] = {}
        self._mirror = bytearray(memory_bytes)
        # Bus words not yet in the testbench: at first all, whose contents a simulator leaves unknown or random.
        self._unloaded = set(range(memory_bytes // config.bus_bytes))
        self._stale = False  # a program was started since the mirror was read
        self.started = Event()
        """Set once `start` has found the core that is expected."""

    async def start(self) -> None:
        """Start the clock, reset the core, and check that it is the configuration that is expected."""
        self._dut.tb_cmd.value = 0
        self._dut.rst_n.value = 0
        await start_clock(self._dut.clk)
        await self.cycles(RESET_CYCLES)
        self._connect()
        await self.reset()
        for register, expected in identity(self.config).items():
            if (shown := await self.get(register)) != expected:
                raise DeviceError(f"{register} reads {shown:#010x}, but {self.config.name} is {expected:#010x}")
        self.started.set()

    def _connect(self) -> None:
        """Not before the reset has settled the core's outputs: the master stops at an unknown `ready`."""
        bus = AxiLiteBus.from_prefix(self._dut, "s_axil")
        self._axil = AxiLiteMaster(bus, self._dut.clk, self._dut.rst_n, reset_active_level=False)

    async def reset(self) -> None:
        """Reset the core, whatever it is doing, and enable watchdog and interrupt. Its memories keep their bytes."""
        self._dut.rst_n.value = 0
        await self.cycles(RESET_CYCLES)
        self._dut.rst_n.value = 1
        await self.cycles(RESET_CYCLES)
        await self.initialise()

    async def initialise(self) -> None:
        """After a reset: enable watchdog and interrupt."""
        await self.set("WATCHDOG", WATCHDOG_CYCLES)
        await self.set("IRQ_ENABLE", 1)

    async def set(self, register: str, value: int) -> None:
        """Write a register by name."""
        await self._axil.write_dword(REGISTERS[register].offset, value)

    async def get(self, register: str) -> int:
        """Read a register by name."""
        return await self._axil.read_dword(REGISTERS[register].offset)

    async def load_image(self, image: Image, address: int) -> None:
        await self.write(address, image.memory_bytes())
        await self._load_memory()
        await self.set("IMAGE_ADDR", address)
        await self.set("IMAGE_INSTRS", len(image.instructions))
        await self.set("IMAGE_CONSTS", len(image.constants))
        await self.set("CTRL", _bit("CTRL", "load"))
        while (status := await self.get("STATUS")) & _bit("STATUS", "loading"):
            pass
        if status & _bit("STATUS", "fault"):
            raise DeviceError(f"loading the image failed: {await self._fault()}")
        self._entries = dict(image.entries)

    async def write(self, address: int, data: bytes) -> None:
        if not 0 <= address <= address + len(data) <= self.memory_bytes:
            raise ValueError(f"write of {len(data)} bytes at {address:#x} is beyond {self.memory_bytes:#x} bytes")
        await self._refresh()
        self._mirror[address : address + len(data)] = data
        bus = self.config.bus_bytes
        self._unloaded.update(range(address // bus, -(-(address + len(data)) // bus)))

    async def read(self, address: int, size: int) -> bytes:
        await self._refresh()
        return bytes(self._mirror[address : address + size])

    async def set_windows(self, windows: Sequence[Window]) -> None:
        padded = [*windows, *[Window(0, 0)] * (WINDOWS - len(windows))]
        for index, window in enumerate(padded):
            await self.set(f"WIN{index}_BASE", window.base)
            await self.set(f"WIN{index}_SIZE", window.size)
            await self.set(f"WIN{index}_FLAGS", int(window.writable))

    async def run(self, entry: str | int, length: int, m: int) -> RunResult:
        await self.begin(entry, length, m)
        return await self.finish()

    async def begin(self, entry: str | int, length: int, m: int) -> None:
        """START a program; `finish` collects it, unless a reset ends it first."""
        await self._load_memory()
        await self.set("ENTRY", entry if isinstance(entry, int) else self._entries[entry])
        await self.set("LEN", length)
        await self.set("M", m)
        self._interrupt = cocotb.start_soon(self._interrupt_cycle())
        self._stale = True
        await self.set("CTRL", _bit("CTRL", "start"))

    async def abort(self) -> None:
        """End the running program with the fault `abort`; nothing happens if none runs."""
        await self.set("CTRL", _bit("CTRL", "abort"))

    async def finish(self) -> RunResult:
        """Wait for the interrupt of the program begun, read its counters and its fault, and clear."""
        irq_cycle = await self.interrupt()
        counters = await self._counters()
        fault = await self.fault()
        await self.clear()
        return RunResult(counters, fault, start_cycle=irq_cycle - counters["total"], irq_cycle=irq_cycle)

    async def interrupt(self) -> int:
        """Wait for the interrupt of the program begun; its cycle. DeviceError if it does not come."""
        try:
            cycle = await with_timeout(self._interrupt, TIMEOUT_CYCLES * CLOCK_NS, "ns")
        except SimTimeoutError:
            raise DeviceError(f"no interrupt {TIMEOUT_CYCLES} cycles after START") from None
        await RisingEdge(self._dut.clk)
        return cycle

    async def fault(self) -> FaultReport | None:
        """Why the finished program stopped; None if it came to its end."""
        return await self._fault() if await self.get("STATUS") & _bit("STATUS", "fault") else None

    async def dump_next(self, *, last: bool) -> None:
        """Dump the waveform of the next program; after the `last` the dump is closed. Needs a build with `probe`."""
        await self._command(TB_DUMP_LAST_PROGRAM if last else TB_DUMP_PROGRAM)

    async def log_events(self) -> None:
        """Write the core's events to events.txt from now on (`verif/tb/ga2_event_log.sv`)."""
        await self._command(TB_LOG_EVENTS)

    async def log_state(self) -> None:
        """Write what waits for what to state.txt, and log no more events."""
        await self._command(TB_LOG_STATE)

    async def contents(self) -> Contents:
        """External memory and scratchpad."""
        return Contents(await self.memory(), *await self.scratchpad())

    async def memory(self) -> Bytes:
        """All of external memory."""
        await self._load_memory()
        await self._refresh()
        return np.frombuffer(bytes(self._mirror), np.uint8)

    async def scratchpad(self) -> tuple[Bytes, Mask]:
        """Every scratchpad byte, and a mask of those that hold a known value."""
        files = [Path(f"spad_{bank}.hex") for bank in range(self.config.banks)]
        await self._command(TB_DUMP_SCRATCHPAD, files)
        banks = [read_entries(path, self.config.bank_words, self.config.cols) for path in files]
        return np.concatenate([data for data, _ in banks]), np.concatenate([known for _, known in banks])

    async def _counters(self) -> dict[str, int]:
        """Every counter by name; their registers follow each other, so one call reads them back to back."""
        values = await self._axil.read_dwords(COUNTERS[0].offset, len(COUNTERS))
        return {counter.name: value for counter, value in zip(COUNTERS, values, strict=True)}

    async def _fault(self) -> FaultReport:
        code = await self.get("FAULT_CODE")
        name = ISA.fault_by_code[code].name if code in ISA.fault_by_code else f"code {code:#x}"
        return FaultReport(name, await self.get("FAULT_PC"), await self.get("FAULT_ADDR"))

    async def clear(self) -> None:
        """Clear the finished program, as soon as no bus transaction is outstanding."""
        while await self.get("STATUS") & _bit("STATUS", "outstanding"):
            pass
        await self.set("CTRL", _bit("CTRL", "clear"))
        if await self.get("STATUS") & (_bit("STATUS", "irq") | _bit("STATUS", "fault")):
            raise DeviceError("CLEAR was refused")

    async def _interrupt_cycle(self) -> int:
        await RisingEdge(self._dut.irq)
        return int(get_sim_time("ns")) // CLOCK_NS

    async def cycles(self, count: int) -> None:
        """Wait for rising clock edges."""
        for _ in range(count):
            await RisingEdge(self._dut.clk)

    async def _command(self, command: int, made: Sequence[Path] = ()) -> None:
        """One testbench command; `made` are the files that it must write."""
        for path in made:
            path.unlink(missing_ok=True)
        async with self._commanding:
            self._dut.tb_cmd.value = command
            await self.cycles(1)
            self._dut.tb_cmd.value = 0
            # The command runs at the edge just waited for, in no stated order with this coroutine.
            await self.cycles(1)
        for path in made:
            if not path.is_file():
                raise DeviceError(f"the testbench did not write {path}")

    async def _load_memory(self) -> None:
        if self._unloaded:
            write_entries(Path("ext_load.hex"), self._mirror, sorted(self._unloaded), self.config.bus_bytes)
            await self._command(TB_LOAD_MEMORY)
            self._unloaded.clear()

    async def _refresh(self) -> None:
        if self._stale:
            path = Path("ext.hex")
            await self._command(TB_DUMP_MEMORY, [path])
            data, _ = read_entries(path, self.memory_bytes // self.config.bus_bytes, self.config.bus_bytes)
            self._mirror[:] = data.tobytes()
            self._stale = False
