# SPDX-License-Identifier: Apache-2.0
"""The simulated core on the memory that pauses, fails and stalls (`verif/tb/ga2_hostile_tb.sv`)."""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from cocotb.triggers import RisingEdge, SimTimeoutError, Timer, with_timeout
from cocotbext.axi import AxiResp

from ga2.device.protocol import FaultReport, Window
from ga2.device.rtl import CLOCK_NS, TIMEOUT_CYCLES, RtlDevice, _bit
from ga2.isa.image import Image
from ga2.spec import REGISTERS, Config
from verif.core.stall_profile import CHANNELS, NEVER, Profile

GATE_BITS = 9
TB_SEED = 4
RESPONSES = {"slverr": 2, "decerr": 3}
PATIENCE = 20_000  # cycles that a wait may take which the memory does not hold up


class Held(NamedTuple):
    """Cycles in which the memory held a transfer back: on any channel, on AR or R, on AW, W or B."""

    any: int
    read: int
    write: int

    def since(self, earlier: "Held") -> "Held":
        """The cycles after an earlier reading."""
        return Held(*(now - before for now, before in zip(self, earlier, strict=True)))


def _packed(values: Iterable[int]) -> int:
    return sum(value << GATE_BITS * index for index, value in enumerate(values))


class HostileDevice(RtlDevice):
    """`behave` sets the pauses, `stick` closes channels, `fail` makes an address answer with an error."""

    def __init__(self, dut: Any, config: Config, memory_bytes: int) -> None:
        super().__init__(dut, config, memory_bytes)
        self._windows: tuple[Window, ...] = ()
        self.profile = NEVER
        for name in ("seed", "chance", "mask", "stuck", "ahead", "bad_read", "bad_write", "bad_addr", "bad_resp"):
            getattr(dut, name).value = 0

    async def behave(self, profile: Profile) -> None:
        """Pause as a profile says, from its seed on."""
        self.profile = profile
        self._dut.chance.value = _packed(gate.chance for gate in profile.gates)
        self._dut.mask.value = _packed(gate.mask for gate in profile.gates)
        self._dut.ahead.value = profile.seed & 1
        self._dut.seed.value = profile.seed
        await self._command(TB_SEED)
        self._pause_host(profile)

    def stick(self, *channels: str) -> None:
        """Close these channels of the memory, open all others."""
        self._dut.stuck.value = sum(1 << CHANNELS.index(channel) for channel in channels)

    @property
    def stuck(self) -> tuple[str, ...]:
        """The closed channels."""
        return tuple(name for bit, name in enumerate(CHANNELS) if int(self._dut.stuck.value) >> bit & 1)

    def fail(self, kind: str, address: int, response: str) -> None:
        """Answer each "read" or "write" that touches a bus word with "slverr" or "decerr"."""
        self._dut.bad_read.value = int(kind == "read")
        self._dut.bad_write.value = int(kind == "write")
        self._dut.bad_addr.value = address
        self._dut.bad_resp.value = RESPONSES[response]

    def heal(self) -> None:
        """No more errors, no channel stuck."""
        self.stick()
        self._dut.bad_read.value = self._dut.bad_write.value = 0

    def held(self) -> Held:
        """Since reset."""
        return Held(*(int(getattr(self._dut, name).value) for name in ("held", "held_read", "held_write")))

    @property
    def bus_outstanding(self) -> bool:
        """Whether a burst is on the bus or unfinished, seen from outside."""
        return bool(self._dut.bus_outstanding.value)

    @property
    def irq(self) -> bool:
        """The level of irq."""
        return bool(self._dut.irq.value)

    async def refused(self, offset: int, value: int) -> bool:
        """Write a register at an offset; True if the core answers SLVERR."""
        response = await self._axil.write(offset, value.to_bytes(4, "little"))
        return response.resp == AxiResp.SLVERR

    async def read_refused(self, offset: int) -> bool:
        """Read at an offset; True if the core answers SLVERR, and with zero."""
        response = await self._axil.read(offset, 4)
        return response.resp == AxiResp.SLVERR and not any(response.data)

    async def command_refused(self, command: str) -> bool:
        """Write one bit of CTRL; True if the core answers SLVERR."""
        return await self.refused(REGISTERS["CTRL"].offset, _bit("CTRL", command))

    async def command(self, command: str) -> None:
        """Write one bit of CTRL."""
        await self.set("CTRL", _bit("CTRL", command))

    async def fault_registers(self) -> FaultReport:
        """FAULT_CODE, FAULT_PC and FAULT_ADDR."""
        return await self._fault()

    async def flags(self) -> set[str]:
        """The bits of STATUS that are set."""
        value = await self.get("STATUS")
        return {name for name, bit in REGISTERS["STATUS"].fields.items() if value >> bit & 1}

    async def errors(self) -> set[str]:
        """The refusals that ERROR shows; they are cleared."""
        value = await self.get("ERROR")
        await self.set("ERROR", value)
        return {name for name, bit in REGISTERS["ERROR"].fields.items() if value >> bit & 1}

    async def end_cycle(self) -> int:
        """The cycle in which irq rose at the end of the program begun last."""
        return await self._interrupt

    async def until_interrupt(self, cycles: int) -> None:
        """Wait for irq, at most so many cycles."""
        if not self.irq:
            try:
                await with_timeout(RisingEdge(self._dut.irq), cycles * CLOCK_NS, "ns")
            except SimTimeoutError:
                raise AssertionError(f"no interrupt within {cycles} cycles") from None
            await RisingEdge(self._dut.clk)

    async def cycles(self, count: int) -> None:
        """Wait for rising clock edges, without waking up at each."""
        if count > 1:
            await Timer(count * CLOCK_NS - CLOCK_NS // 2, "ns")
        if count:
            await RisingEdge(self._dut.clk)

    async def load_image(self, image: Image, address: int) -> None:
        """As `RtlDevice.load_image`, but the interrupt says when it is done."""
        await self.write(address, image.memory_bytes())
        await self.begin_load(image, address)
        await self.until_interrupt(TIMEOUT_CYCLES)
        flags = await self.flags()
        assert flags == {"done", "irq"}, f"after LOAD: STATUS {flags}, {await self.fault_registers()}"
        self._entries = dict(image.entries)

    async def begin_load(self, image: Image, address: int) -> None:
        """LOAD an image that is in external memory."""
        await self._load_memory()
        await self.set("IMAGE_ADDR", address)
        await self.set("IMAGE_INSTRS", len(image.instructions))
        await self.set("IMAGE_CONSTS", len(image.constants))
        await self.command("load")

    async def set_windows(self, windows: Sequence[Window]) -> None:
        """As `RtlDevice.set_windows`, but only those that change."""
        if windows != self._windows:
            await super().set_windows(windows)
            self._windows = tuple(windows)

    async def initialise(self) -> None:
        """As `RtlDevice.initialise`; no window is set any more."""
        self._windows = ()
        await super().initialise()

    async def until_quiet(self) -> None:
        """Wait until STATUS says that nothing is outstanding, and check that the bus agrees."""
        for _ in range(PATIENCE):
            if "outstanding" not in await self.flags():
                assert not self.bus_outstanding, "STATUS says nothing is outstanding, but a burst is"
                return
        raise AssertionError("a burst never ended")

    async def clear(self) -> None:
        await self.until_quiet()
        await super().clear()

    def _pause_host(self, profile: Profile) -> None:
        write, read = self._axil.write_if, self._axil.read_if
        rng = random.Random(profile.seed)

        def pauses() -> Iterator[bool]:
            while True:
                yield rng.random() < profile.host

        for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
            if profile.host:
                channel.set_pause_generator(pauses())
            else:
                channel.clear_pause_generator()
                channel.pause = False
