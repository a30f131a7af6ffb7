# SPDX-License-Identifier: Apache-2.0
"""The driver of the reset line."""

from pyuvm import ConfigDB, uvm_analysis_port, uvm_driver

from ga2.device.rtl import RtlDevice
from verif.env.reset_item import ResetItem


class ResetDriver(uvm_driver):
    """Plays reset items, and publishes each on `ap` once the core is out of reset."""

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)
        self.device: RtlDevice = ConfigDB().get(self, "", "DEVICE")
        self.dut = ConfigDB().get(self, "", "DUT")

    async def run_phase(self) -> None:
        await self.device.started.wait()
        while True:
            item: ResetItem = await self.seq_item_port.get_next_item()
            await self.device.cycles(item.delay)
            self.dut.rst_n.value = 0
            await self.device.cycles(item.length)
            self.dut.rst_n.value = 1
            await self.device.cycles(item.length)
            self.ap.write(item)
            self.seq_item_port.item_done()
