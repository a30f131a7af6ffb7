# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the registers: every offset of the address space, strobes, commands, refusals, and the channels.

The five channels are driven one by one (cocotbext-axi), so that any strobe and any order of address and data is met.
"""

import logging
import os
import random
from collections import Counter
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from cocotbext.axi.axil_channels import (
    AxiLiteARBus,
    AxiLiteARSource,
    AxiLiteARTransaction,
    AxiLiteAWBus,
    AxiLiteAWSource,
    AxiLiteAWTransaction,
    AxiLiteBBus,
    AxiLiteBSink,
    AxiLiteRBus,
    AxiLiteRSink,
    AxiLiteWBus,
    AxiLiteWSource,
    AxiLiteWTransaction,
)

from ga2.device.clock import start_clock
from ga2.spec import COUNTERS, REGISTER_MAP, REGISTERS, load_config
from verif.unit.axi_rules import ChannelRules

SEED = int(os.environ.get("GA2_SEED", "0"))
SIZES = {name: int(os.environ[f"GA2_{name}"]) for name in
         ("ROWS", "COLS", "BUS_BYTES", "LANES", "SPAD_WORDS", "BANKS", "IMEM_DEPTH", "CMEM_DEPTH", "MAX_LEN", "M_MAX")}
WINDOW_SLOTS = load_config("nano").window_slots
OKAY, SLVERR = 0, 2
FULL = 0xF
COMMANDS = REGISTERS["CTRL"].fields
ERRORS = REGISTERS["ERROR"].fields
STATUS = REGISTERS["STATUS"].fields
BY_OFFSET = {register.offset: register for register in REGISTERS.values()}
COUNTER_OFFSETS = {counter.offset: index for index, counter in enumerate(COUNTERS)}
PARAMETERS = [register.name for register in REGISTERS.values() if register.access == "rw"]
LIMITED = {"ENTRY": "entry", "LEN": "len", "M": "m", "IMAGE_INSTRS": "image_instrs", "IMAGE_CONSTS": "image_consts"}
STATE = ("busy", "done", "fault", "loading", "outstanding")


def counter_value(index: int) -> int:
    """What the bench lets the counters show."""
    return (index + 1) * 0x01234567 & 0xFFFFFFFF


def packed(*fields: tuple[int, int]) -> int:
    """(value, lowest bit) of each field, joined."""
    return sum(value << lsb for value, lsb in fields)


CONSTANT = {
    "ID": REGISTER_MAP.magic,
    "CONFIG0": packed((SIZES["ROWS"], 0), (SIZES["COLS"], 8), (SIZES["BUS_BYTES"], 16), (SIZES["LANES"], 24)),
    "CONFIG1": packed((SIZES["SPAD_WORDS"], 0), (SIZES["MAX_LEN"], 16)),
    "CONFIG2": packed((SIZES["IMEM_DEPTH"], 0), (SIZES["CMEM_DEPTH"], 16)),
    "CONFIG3": packed((SIZES["M_MAX"], 0), (SIZES["BANKS"], 8), (WINDOW_SLOTS, 16)),
}


class Bench:
    """The registers, their model, and what was seen of commands and interrupts."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut = dut
        self.rng = rng
        self.values = dict.fromkeys(PARAMETERS, 0)
        self.error = 0
        self.state = dict.fromkeys(STATE, 0)
        self.reasons = {"fault_code": 0, "fault_pc": 0, "fault_addr": 0}
        self.pulses: Counter[str] = Counter()
        self.rules = {name: ChannelRules(name) for name in ("B", "R")}
        self.channels: list[Any] = []

    async def reset(self) -> None:
        dut = self.dut
        for name in (*STATE, *self.reasons, "counter"):
            getattr(dut, f"{name}_i").value = 0
        dut.rst_ni.value = 0
        await start_clock(dut.clk_i)
        for _ in range(3):
            await RisingEdge(dut.clk_i)
        at = (dut.clk_i, dut.rst_ni, False)
        self.aw = AxiLiteAWSource(AxiLiteAWBus.from_prefix(dut, "s_axil"), *at)
        self.w = AxiLiteWSource(AxiLiteWBus.from_prefix(dut, "s_axil"), *at)
        self.b = AxiLiteBSink(AxiLiteBBus.from_prefix(dut, "s_axil"), *at)
        self.ar = AxiLiteARSource(AxiLiteARBus.from_prefix(dut, "s_axil"), *at)
        self.r = AxiLiteRSink(AxiLiteRBus.from_prefix(dut, "s_axil"), *at)
        self.channels = [self.aw, self.w, self.b, self.ar, self.r]
        for channel in self.channels:
            channel.log.setLevel(logging.WARNING)
        dut.rst_ni.value = 1
        await RisingEdge(dut.clk_i)
        cocotb.start_soon(self._watch())

    async def _watch(self) -> None:
        """In every cycle: play the counters, note the commands, check interrupt and responses."""
        dut = self.dut
        while True:
            await FallingEdge(dut.clk_i)
            if dut.s_axil_arvalid.value:
                dut.counter_i.value = counter_value(int(dut.counter_index_o.value))
            self.pulses.update(name for name in COMMANDS if getattr(dut, f"{name}_o").value)
            irq = self.values["IRQ_ENABLE"] & 1 and (self.state["done"] or self.state["fault"])
            self.irq_seen = bool(dut.irq_o.value)
            self.irq_wanted = bool(irq)
            for name, payload in (("B", ["bresp"]), ("R", ["rdata", "rresp"])):
                valid, ready = (bool(getattr(dut, f"s_axil_{name.lower()}{end}").value) for end in ("valid", "ready"))
                data = tuple(int(getattr(dut, f"s_axil_{field}").value) for field in payload) if valid else ()
                self.rules[name].check(valid, ready, data)

    def pause(self, probability: float) -> None:
        """Random pauses on every channel."""

        def pauses():
            while True:
                yield self.rng.random() < probability

        for channel in self.channels:
            channel.set_pause_generator(pauses())

    def be(self, **state: int) -> None:
        """The core's state from the next cycle on."""
        self.state = dict.fromkeys(STATE, 0) | state
        for name, value in self.state.items():
            getattr(self.dut, f"{name}_i").value = value

    async def write(self, offset: int, data: int, strobe: int = FULL) -> int:
        """Write, the response."""
        sends = [self.aw.send(AxiLiteAWTransaction(awaddr=offset, awprot=0)),
                 self.w.send(AxiLiteWTransaction(wdata=data, wstrb=strobe))]  # fmt: skip
        if self.rng.random() < 0.5:
            sends.reverse()
        await sends[0]
        for _ in range(self.rng.choice([0, 0, 1, 3])):
            await RisingEdge(self.dut.clk_i)
        await sends[1]
        response = int((await self.b.recv()).bresp)
        for _ in range(2):  # abort comes a cycle later; START is at least two cycles after a parameter
            await RisingEdge(self.dut.clk_i)
        return response

    async def read(self, offset: int) -> tuple[int, int]:
        """(value, response)."""
        await self.ar.send(AxiLiteARTransaction(araddr=offset, arprot=0))
        answer = await self.r.recv()
        return int(answer.rdata), int(answer.rresp)

    async def checked_write(self, offset: int, data: int, strobe: int = FULL) -> None:
        """A write against the model: response, commands, and what the registers hold from then on."""
        register = BY_OFFSET.get(offset & ~3)
        self.pulses.clear()
        errors, pulses = self.command(data) if register and register.name == "CTRL" and strobe & 1 else (0, set())
        wanted = OKAY if register and register.access != "ro" else SLVERR
        if register and register.access == "rw":
            if self.state["busy"]:
                errors = 1 << ERRORS["busy_write"]
            else:
                mask = sum(0xFF << 8 * lane for lane in range(4) if strobe >> lane & 1)
                value = self.values[register.name] & ~mask | data & mask
                self.values[register.name] = value & 1 if register.name == "IRQ_ENABLE" else value
        response = await self.write(offset, data, strobe)
        where = f"write of {data:#x}/{strobe:04b} to {offset:#x} in {self.state}"
        assert response == (SLVERR if errors else wanted), f"{where}: response {response}"
        assert self.pulses == Counter(pulses), f"{where}: commands {self.pulses}, expected {pulses}"
        cleared = data & 0xF if register and register.name == "ERROR" and strobe & 1 else 0
        self.error = self.error & ~cleared | errors
        assert self.irq_seen == self.irq_wanted, where

    def command(self, data: int) -> tuple[int, set[str]]:
        """What a write to CTRL does: (errors, commands)."""
        start, clear, abort, load = (bool(data >> COMMANDS[name] & 1) for name in ("start", "clear", "abort", "load"))
        busy, fault = bool(self.state["busy"]), bool(self.state["fault"])
        refuse_clear = clear and (busy or bool(self.state["outstanding"]))
        errors = packed(((start or load) and busy, ERRORS["busy_start"]), (refuse_clear, ERRORS["clear_refused"]),
                        ((start or load) and not busy and fault, ERRORS["fault_start"]))  # fmt: skip
        free = not busy and not fault
        does = {"start": start and free, "load": load and not start and free, "clear": clear and not refuse_clear,
                "abort": abort and busy}  # fmt: skip
        return errors, {name for name, happens in does.items() if happens}

    def expected(self, offset: int) -> tuple[int, int]:
        """What a read gives: (value, response)."""
        if offset in COUNTER_OFFSETS:
            return counter_value(COUNTER_OFFSETS[offset]), OKAY
        register = BY_OFFSET.get(offset)
        if register is None:
            return 0, SLVERR
        irq = int(self.values["IRQ_ENABLE"] & 1 and (self.state["done"] or self.state["fault"]))
        special = {
            "CTRL": 0, "ERROR": self.error,
            "STATUS": sum((self.state | {"irq": irq})[name] << bit for name, bit in STATUS.items()),
            **{name.upper(): value for name, value in self.reasons.items()},
        }  # fmt: skip
        return (CONSTANT | self.values | special)[register.name], OKAY

    async def check_all(self, offsets: list[int]) -> None:
        for offset in offsets:
            assert await self.read(offset) == self.expected(offset), f"read of {offset:#x}"

    def check_outputs(self) -> None:
        """The parameters as the core sees them."""
        dut = self.dut
        for name, port in LIMITED.items():
            assert int(getattr(dut, f"{port}_o").value) == min(self.values[name], 0xFFFF), name
        assert int(dut.watchdog_o.value) == self.values["WATCHDOG"]
        assert int(dut.image_addr_o.value) == self.values["IMAGE_ADDR"]
        for port, name in (("win_base", "BASE"), ("win_size", "SIZE")):
            windows = [self.values[f"WIN{w}_{name}"] for w in range(4)]
            assert int(getattr(dut, f"{port}_o").value) == packed(*((v, 32 * w) for w, v in enumerate(windows))), name
        flags = packed(*((self.values[f"WIN{w}_FLAGS"] & 1, w) for w in range(4)))
        assert int(dut.win_writable_o.value) == flags


async def make_bench(dut, seed: int) -> Bench:
    bench = Bench(dut, random.Random(SEED + seed))
    await bench.reset()
    return bench


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def every_offset(dut) -> None:
    """The whole address space, read, written (each word once with ones) and read again: known, read-only, unmapped."""
    bench = await make_bench(dut, 0)
    everything = list(range(0, 1 << REGISTER_MAP.address_bits, 4))
    await bench.check_all(everything)
    bench.check_outputs()
    for offset in everything:
        if offset != REGISTERS["CTRL"].offset:
            await bench.checked_write(offset, 0xFFFFFFFF)
    await bench.check_all(everything)
    bench.check_outputs()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def every_strobe(dut) -> None:
    """Each parameter with each strobe, among random ones: the register changes in the written bytes, no other does."""
    bench = await make_bench(dut, 1)
    rng = bench.rng
    offsets = [REGISTERS[name].offset for name in PARAMETERS]
    for name in PARAMETERS:
        for strobe in rng.sample(range(16), 16):
            await bench.checked_write(REGISTERS[name].offset | rng.randrange(4), rng.getrandbits(32), strobe)
            bench.check_outputs()
        await bench.check_all(rng.sample(offsets, 4) + [REGISTERS[name].offset])
    await bench.check_all(offsets)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def every_command_in_every_state(dut) -> None:
    """All words of commands, idle, busy, faulted and with bursts outstanding; refusals, and how they are cleared."""
    bench = await make_bench(dut, 2)
    rng = bench.rng
    ctrl, error = REGISTERS["CTRL"].offset, REGISTERS["ERROR"].offset
    for word in range(16):
        for state in range(8):
            bench.be(busy=state & 1, fault=state >> 1 & 1, outstanding=state >> 2 & 1)
            await bench.checked_write(ctrl, word | rng.getrandbits(28) << 4, rng.choice([FULL, 1, 1, 14]))
            await bench.check_all([error, REGISTERS["STATUS"].offset, ctrl])
            if rng.random() < 0.5:
                await bench.checked_write(error, rng.getrandbits(32), rng.choice([1, FULL, 14]))
                await bench.check_all([error])


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def busy_core(dut) -> None:
    """While it is busy every parameter refuses a write, and none changes; status, faults and counters are read."""
    bench = await make_bench(dut, 3)
    for name in PARAMETERS:
        await bench.checked_write(REGISTERS[name].offset, bench.rng.getrandbits(32))
    bench.be(busy=1)
    for name in PARAMETERS:
        await bench.checked_write(REGISTERS["ERROR"].offset, 0xF)
        await bench.checked_write(REGISTERS[name].offset, bench.rng.getrandbits(32))
        await bench.check_all([REGISTERS["ERROR"].offset, REGISTERS[name].offset])
    bench.check_outputs()
    for _ in range(40):
        bench.be(**{name: bench.rng.randrange(2) for name in STATE})
        bench.reasons = {"fault_code": bench.rng.getrandbits(8), "fault_pc": bench.rng.getrandbits(16),
                         "fault_addr": bench.rng.getrandbits(32)}  # fmt: skip
        for name, value in bench.reasons.items():
            getattr(dut, f"{name}_i").value = value
        names = ("STATUS", "FAULT_CODE", "FAULT_PC", "FAULT_ADDR", "IRQ_ENABLE")
        await bench.check_all([REGISTERS[name].offset for name in names] + list(COUNTER_OFFSETS))
        await bench.checked_write(REGISTERS["IRQ_ENABLE"].offset, bench.rng.getrandbits(32), 1)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def paused_channels(dut) -> None:
    """Random writes and reads while every channel pauses: one effect each, and responses wait for ready."""
    bench = await make_bench(dut, 4)
    rng = bench.rng
    mapped = [*BY_OFFSET, *COUNTER_OFFSETS]
    for probability in (0.3, 0.7):
        bench.pause(probability)
        for _ in range(60):
            offset = rng.choice([*mapped, rng.randrange(0, 1 << REGISTER_MAP.address_bits, 4)])
            bench.be(busy=int(rng.random() < 0.3), fault=int(rng.random() < 0.3))
            await bench.checked_write(offset, rng.getrandbits(32), rng.randrange(16))
            await bench.check_all(rng.sample(mapped, 2) + [offset])
