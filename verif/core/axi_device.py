# SPDX-License-Identifier: Apache-2.0
"""The simulated core on a cocotb AXI slave (`verif/tb/ga2_axi_tb.sv`): random pauses, and errors where one likes.

It is the device of `ga2.device.rtl` with its external memory here, in Python, and not in the testbench.
"""

import logging
import random
from collections.abc import Iterator
from typing import Any

from cocotbext.axi import AxiBus, AxiSlave, MemoryRegion

from ga2.device.rtl import RtlDevice
from ga2.spec import Config

SLAVE_DRIVEN = ("arready", "rvalid", "rlast", "rresp", "rdata", "rid", "awready", "wready", "bvalid", "bresp", "bid")


class FaultyRegion(MemoryRegion):
    """Memory that answers with an error at the addresses in `bad["read"]` and `bad["write"]`."""

    def __init__(self, memory: bytearray) -> None:
        super().__init__(len(memory), memory)
        self.bad: dict[str, set[int]] = {"read": set(), "write": set()}

    async def _read(self, address: int, length: int, **kwargs: Any) -> bytes:
        self._fail("read", address, length)
        return bytes(await super()._read(address, length))

    async def _write(self, address: int, data: bytes, **kwargs: Any) -> None:
        self._fail("write", address, len(data))
        await super()._write(address, data)

    def _fail(self, kind: str, address: int, length: int) -> None:
        if self.bad[kind].intersection(range(address, address + length)):
            raise ValueError(f"injected: {kind} at {address:#x}")


class AxiDevice(RtlDevice):
    """`pause` sets how often each channel waits; `region.bad` says where errors come."""

    def __init__(self, dut: Any, config: Config, memory_bytes: int, rng: random.Random) -> None:
        super().__init__(dut, config, memory_bytes)
        self.region = FaultyRegion(self._mirror)
        self._rng = rng
        self._slave: AxiSlave
        dut.decode_errors.value = 0
        for name in SLAVE_DRIVEN:
            getattr(dut, f"m_axi_{name}").value = 0

    @property
    def channels(self) -> dict[str, Any]:
        """The slave's channels by name: ar, r, aw, w, b."""
        read, write = self._slave.read_if, self._slave.write_if
        return {
            "ar": read.ar_channel,
            "r": read.r_channel,
            "aw": write.aw_channel,
            "w": write.w_channel,
            "b": write.b_channel,
        }

    def pause(self, probability: float) -> None:
        """From now on every channel waits in a cycle with this probability."""

        def pauses() -> Iterator[bool]:
            while True:
                yield self._rng.random() < probability

        for channel in self.channels.values():
            channel.set_pause_generator(pauses())

    def fail(self, kind: str, address: int, response: str) -> None:
        """Answer each "read" or "write" that touches a bus word with "slverr" or "decerr"."""
        self.region.bad[kind].add(address)
        self._dut.decode_errors.value = int(response == "decerr")

    def heal(self) -> None:
        """No more errors."""
        for addresses in self.region.bad.values():
            addresses.clear()

    def _connect(self) -> None:
        super()._connect()
        bus = AxiBus.from_prefix(self._dut, "m_axi")
        self._slave = AxiSlave(bus, self._dut.clk, self._dut.rst_n, target=self.region, reset_active_level=False)
        for end in (self._slave.read_if, self._slave.write_if):
            end.log.setLevel(logging.ERROR)

    async def _load_memory(self) -> None:
        """The slave serves the very bytes that the host writes."""

    async def _refresh(self) -> None:
        """And the host reads the very bytes that the core wrote."""
