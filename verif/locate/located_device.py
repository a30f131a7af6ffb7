# SPDX-License-Identifier: Apache-2.0
"""A checked device that reports: for benches that drive a session or a host loop instead of single programs."""

import logging
from typing import Any

from ga2.decoding.backends import MEMORY_BYTES
from ga2.device.checked import CheckedDevice
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import RunResult, Window
from ga2.device.rtl import WATCHDOG_CYCLES, RtlDevice
from ga2.isa.image import Image
from ga2.spec import Config
from verif.locate.ended import announce
from verif.locate.failed_program import FailedProgram
from verif.locate.report import report
from verif.programs.program import Program


class LocatedDevice(CheckedDevice):
    """As `CheckedDevice`; `report` is what the locator says of the first program that differs, "" while none does."""

    def __init__(self, rtl: RtlDevice, golden: GoldenDevice) -> None:
        super().__init__(rtl, golden)
        self.report = ""
        self._image: tuple[Image, int] | None = None
        self._set: tuple[Window, ...] = ()

    @classmethod
    async def started(cls, dut: Any, config: Config, memory_bytes: int = MEMORY_BYTES) -> "LocatedDevice":
        """The core in a testbench of `memory_bytes` bytes, just reset, beside a golden model."""
        logging.getLogger("cocotb.ga2_tb").setLevel(logging.WARNING)
        rtl = RtlDevice(dut, config, memory_bytes)
        await rtl.start()
        return cls(rtl, GoldenDevice(config, memory_bytes))

    async def load_image(self, image: Image, address: int) -> None:
        await super().load_image(image, address)
        self._image = image, address

    async def set_windows(self, windows: Any) -> None:
        await super().set_windows(windows)
        self._set = tuple(windows)

    async def run(self, entry: str | int, length: int, m: int) -> RunResult:
        if self.report or self._image is None:
            return await super().run(entry, length, m)
        image, address = self._image
        before = self._golden.memory.data.tobytes()
        program = Program(0, image, {0: before}, self._set, length, m, f"program {self._programs} ({entry})")
        failed = FailedProgram(self.config, program, entry, None, address, len(before), WATCHDOG_CYCLES)
        announce(failed)
        result = await super().run(entry, length, m)
        if self.difference is not None:
            hung = result.fault is not None and result.fault.name == "watchdog"
            self.report = report(failed, str(self.difference.found), hung=hung)
        return result
