# SPDX-License-Identifier: Apache-2.0
"""A simulated core beside the golden one: the same traffic to both, and everything compared after every program."""

from collections.abc import Sequence
from dataclasses import dataclass

from ga2.device.compare import Found, content_differences, counter_differences
from ga2.device.golden import GoldenDevice
from ga2.device.hexfile import Bytes
from ga2.device.protocol import RunResult, Window
from ga2.device.rtl import RtlDevice
from ga2.isa.image import Image


@dataclass(frozen=True)
class Difference:
    """The first thing that differed: in which program and what."""

    program: int
    entry: str | int
    found: Found

    def __str__(self) -> str:
        return f"program {self.program} ({self.entry}): {self.found}"


class CheckedDevice:
    """The RTL's answers, with the golden model's as the judge. `difference` is the first one found, or None."""

    def __init__(self, rtl: RtlDevice, golden: GoldenDevice) -> None:
        self.config = rtl.config
        self.difference: Difference | None = None
        self._rtl = rtl
        self._golden = golden
        self._programs = 0
        self._scratchpad: Bytes | None = None  # the RTL's at the last comparison

    def forget_differences(self) -> None:
        """Start a new account: programs are counted from 0, and the next difference is the first."""
        self.difference = None
        self._programs = 0

    async def load_image(self, image: Image, address: int) -> None:
        await self._golden.load_image(image, address)
        await self._rtl.load_image(image, address)

    async def write(self, address: int, data: bytes) -> None:
        await self._golden.write(address, data)
        await self._rtl.write(address, data)

    async def read(self, address: int, size: int) -> bytes:
        return await self._rtl.read(address, size)

    async def set_windows(self, windows: Sequence[Window]) -> None:
        await self._golden.set_windows(windows)
        await self._rtl.set_windows(windows)

    async def run(self, entry: str | int, length: int, m: int) -> RunResult:
        if self._scratchpad is None:
            self._scratchpad, _ = await self._rtl.scratchpad()
        expected = await self._golden.run(entry, length, m)
        seen = await self._rtl.run(entry, length, m)
        for found in await self._differences(expected, seen):
            if self.difference is None:
                self.difference = Difference(self._programs, entry, found)
        self._programs += 1
        return seen

    async def _differences(self, expected: RunResult, seen: RunResult) -> list[Found]:
        found: list[Found] = []
        if expected.fault != seen.fault:
            found.append(Found("fault", expected.fault, seen.fault))
        contents = await self._rtl.contents()
        found += content_differences(self._golden.contents(), contents, before=self._scratchpad)
        self._scratchpad = contents.scratchpad
        return found + counter_differences(expected, seen)
