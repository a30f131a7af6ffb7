# SPDX-License-Identifier: Apache-2.0
"""A simulated core beside the golden one: the same traffic to both, and everything compared after every program."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ga2.device.golden import GoldenDevice
from ga2.device.hexfile import Bytes
from ga2.device.protocol import RunResult, Window
from ga2.device.rtl import RtlDevice
from ga2.isa.image import Image


@dataclass(frozen=True)
class Difference:
    """The first thing that differed: in which program, where, and both values."""

    program: int
    entry: str | int
    what: str
    golden: object
    rtl: object

    def __str__(self) -> str:
        return f"program {self.program} ({self.entry}): {self.what}: golden {self.golden}, RTL {self.rtl}"


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
        for what, golden, rtl in await self._differences(expected, seen):
            if self.difference is None:
                self.difference = Difference(self._programs, entry, what, golden, rtl)
        self._programs += 1
        return seen

    async def _differences(self, expected: RunResult, seen: RunResult) -> list[tuple[str, object, object]]:
        found: list[tuple[str, object, object]] = []
        if expected.fault != seen.fault:
            found.append(("fault", expected.fault, seen.fault))
        found += _unequal_bytes("external byte", self._golden.memory_array(), await self._rtl.memory())
        scratchpad, known = await self._rtl.scratchpad()
        golden, written = self._golden.scratchpad_array()
        found += _unequal_bytes("scratchpad byte", golden, scratchpad, written)
        found += [("scratchpad byte " + hex(at), int(golden[at]), "x") for at in np.flatnonzero(written & ~known)[:1]]
        if self._scratchpad is not None:
            found += _unequal_bytes("untouched scratchpad byte", self._scratchpad, scratchpad, ~written)
        self._scratchpad = scratchpad
        found += [
            (f"counter {name}", expected.counters.get(name), value)
            for name, value in seen.counters.items()
            if expected.fault is None and expected.counters.get(name) != value
        ]
        return found


def _unequal_bytes(
    what: str, golden: Bytes, rtl: Bytes, where: np.ndarray | None = None
) -> Iterator[tuple[str, object, object]]:
    """The first byte in `where` (default all) that differs."""
    unequal = golden != rtl if where is None else (golden != rtl) & where
    for at in np.flatnonzero(unequal)[:1]:
        yield f"{what} {at:#x}", int(golden[at]), int(rtl[at])
