# SPDX-License-Identifier: Apache-2.0
"""The driver of the control port: plays program items on the core through `ga2.device.rtl.RtlDevice`."""

from pyuvm import ConfigDB, uvm_analysis_port, uvm_driver

from ga2.device.protocol import RunResult
from ga2.device.rtl import RtlDevice
from verif.env.program_item import Ending, ProgramItem
from verif.env.program_run import ProgramRun
from verif.programs.program import IMAGE_ADDRESS

PATIENCE = 2000  # cycles without progress: a core that hangs ends its program soon, with the fault `watchdog`


class CsrDriver(uvm_driver):
    """Publishes an item on `loaded_ap` once it is loaded, and its `ProgramRun` on `ended_ap`."""

    def build_phase(self) -> None:
        self.loaded_ap = uvm_analysis_port("loaded_ap", self)
        self.ended_ap = uvm_analysis_port("ended_ap", self)
        self.device: RtlDevice = ConfigDB().get(self, "", "DEVICE")

    async def run_phase(self) -> None:
        await self.device.start()
        while True:
            item = await self.seq_item_port.get_next_item()
            self.logger.info(item.get_name())
            await self._load(item)
            self.loaded_ap.write(item)
            result = await self._play(item)
            self.ended_ap.write(ProgramRun(item, result, await self.device.contents()))
            self.seq_item_port.item_done()

    async def _load(self, item: ProgramItem) -> None:
        program = item.program
        for address, data in program.memory.items():
            await self.device.write(address, data)
        await self.device.set("WATCHDOG", PATIENCE)
        await self.device.load_image(program.image, IMAGE_ADDRESS)
        await self.device.set_windows(program.windows)

    async def _play(self, item: ProgramItem) -> RunResult | None:
        device, program = self.device, item.program
        if item.ending is Ending.WATCHDOG:
            await device.set("WATCHDOG", item.cycles)
        await device.begin("main", program.length, program.m)
        if item.ending in (Ending.ABORT, Ending.RESET):
            await device.cycles(item.cycles)
        if item.ending is Ending.RESET:
            await device.reset()
            return None
        if item.ending is Ending.ABORT:
            await device.abort()
        return await device.finish()
