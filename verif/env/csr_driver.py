# SPDX-License-Identifier: Apache-2.0
"""The driver of the control port: plays program items on the core through `ga2.device.rtl.RtlDevice`."""

from cocotb.triggers import FallingEdge, RisingEdge, SimTimeoutError, with_timeout
from pyuvm import ConfigDB, uvm_analysis_port, uvm_driver

from ga2.device.protocol import RunResult
from ga2.device.rtl import CLOCK_NS, RtlDevice
from verif.core.hostile_device import Held, HostileDevice
from verif.core.interference import interfere
from verif.env.program_item import OUTSIDE, Ending, ProgramItem
from verif.env.program_run import ProgramRun, failed_program
from verif.env.settings import GUARD, settings_of
from verif.locate.ended import announce
from verif.locate.report import report
from verif.programs.program import IMAGE_ADDRESS


class CsrDriver(uvm_driver):
    """Publishes an item on `loaded_ap` once it is loaded, and its `ProgramRun` on `ended_ap`.

    A program that does not end, although the watchdog should see to that, ends the test with a report of who waits.
    """

    def build_phase(self) -> None:
        self.loaded_ap = uvm_analysis_port("loaded_ap", self)
        self.ended_ap = uvm_analysis_port("ended_ap", self)
        self.settings = settings_of(self)
        self.device: RtlDevice = ConfigDB().get(self, "", "DEVICE")
        self.dut = ConfigDB().get(self, "", "DUT")

    async def run_phase(self) -> None:
        await self.device.start()
        await self.device.write(0, bytes([GUARD]) * self.settings.memory_bytes)
        if self.settings.watch_writes:
            await self.device.log_events()
        while True:
            item = await self.seq_item_port.get_next_item()
            self.logger.info(item.get_name())
            await self._load(item)
            self.loaded_ap.write(item)
            before = self._held()
            result = await self._play(item)
            held = self._held()
            since = held.since(before) if held and before and result else None
            self.ended_ap.write(ProgramRun(item, result, await self.device.contents(), since, self.profile))
            self.seq_item_port.item_done()

    @property
    def profile(self):
        """How the memory waits now; None if it cannot."""
        return self.device.profile if isinstance(self.device, HostileDevice) else None

    def _held(self) -> Held | None:
        return self.device.held() if isinstance(self.device, HostileDevice) else None

    async def _load(self, item: ProgramItem) -> None:
        program = item.program
        announce(failed_program(self.settings, item, self.profile))
        for address, data in program.memory.items():
            await self.device.write(address, data)
        await self.device.set("WATCHDOG", self.settings.patience)
        await self.device.load_image(program.image, IMAGE_ADDRESS)
        await self.device.set_windows(program.windows)

    async def _play(self, item: ProgramItem) -> RunResult | None:
        device, program = self.device, item.program
        if item.ending is Ending.WATCHDOG:
            await device.set("WATCHDOG", item.cycles)
        await device.begin("main", program.length, program.m)
        item.started.set()
        if item.ending is Ending.RESET and item.cycles == OUTSIDE:
            await self._outside_reset()
            return None
        comes = await interfere(device, item.ending.value, item.cycles)
        return await self._finish(item) if comes else None

    async def _outside_reset(self) -> None:
        """The reset agent resets the core while the program runs."""
        await FallingEdge(self.dut.rst_n)
        await RisingEdge(self.dut.rst_n)
        await self.device.cycles(2)
        await self.device.initialise()

    async def _finish(self, item: ProgramItem) -> RunResult:
        try:
            return await with_timeout(self.device.finish(), self.settings.limit * CLOCK_NS, "ns")
        except SimTimeoutError:
            await self.device.log_state()
            failed = failed_program(self.settings, item, self.profile)
            raise AssertionError(report(failed, "no interrupt, and no watchdog", hung=True)) from None
