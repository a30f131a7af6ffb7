# SPDX-License-Identifier: Apache-2.0
"""The driver of the memory: backpressure and errors of whichever memory answers the core."""

from pyuvm import ConfigDB, uvm_driver

from ga2.device.rtl import RtlDevice
from verif.core.axi_device import AxiDevice
from verif.core.hostile_device import HostileDevice
from verif.env.mem_item import MemItem

MOST = 0.5  # how often a channel of cocotbext-axi waits at most: its pauses are drawn cycle by cycle and have no end


class MemDriver(uvm_driver):
    """Plays memory items. The reference memory never waits: an item for it is a mistake of the test."""

    def build_phase(self) -> None:
        self.device: RtlDevice = ConfigDB().get(self, "", "DEVICE")
        self.played = 0

    async def run_phase(self) -> None:
        await self.device.started.wait()
        while True:
            item: MemItem = await self.seq_item_port.get_next_item()
            if item.delay:
                await self.device.cycles(item.delay)
            if not isinstance(self.device, HostileDevice | AxiDevice):
                raise TypeError("the reference memory cannot be told to wait or fail: set GA2_MEMORY to hostile or axi")
            self.device.heal()
            if item.bad:
                self.device.fail(item.bad.kind, item.bad.address, item.bad.response)
            if isinstance(self.device, HostileDevice):
                await self.device.behave(item.profile)
            else:
                self.device.pause(min(max(gate.chance for gate in item.profile.gates) / 256, MOST))
            self.played += 1
            self.logger.info("memory: %s", item.profile.name)
            self.seq_item_port.item_done()
