# SPDX-License-Identifier: Apache-2.0
"""The device that a host loop drives while one of its blocks is dumped: it counts blocks and says what comes next."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from ga2.device.protocol import Device, RunResult, Window
from ga2.isa.image import Image
from ga2.speculation.session import Session

Announce = Callable[[str, bool], Awaitable[None]]
"""Told before every program of the block: its title, and whether it is the last."""


@dataclass(frozen=True)
class ProgramSeen:
    """One program of the block: what was started, on which LEN and M, in which cycles."""

    entry: str
    title: str
    length: int
    m: int
    result: RunResult


@dataclass
class BlockWindow:
    """Passes everything on to `inner`. A block is the programs up to and with one of the session's verifiers.

    block: which one is announced, from 1 up. programs: those of that block that ended, in order.
    """

    inner: Device
    announce: Announce
    session: Session
    block: int
    programs: list[ProgramSeen] = field(default_factory=list)
    verified: int = 0

    def __post_init__(self) -> None:
        self.config = self.inner.config

    async def load_image(self, image: Image, address: int) -> None:
        await self.inner.load_image(image, address)

    async def write(self, address: int, data: bytes) -> None:
        await self.inner.write(address, data)

    async def read(self, address: int, size: int) -> bytes:
        return await self.inner.read(address, size)

    async def set_windows(self, windows: Sequence[Window]) -> None:
        await self.inner.set_windows(windows)

    async def run(self, entry: str | int, length: int, m: int) -> RunResult:
        last = entry in self.session.verifiers
        inside = self.verified == self.block - 1
        what = "verify" if entry == self.session.target.name else "block"
        title = f"{what} LEN={length} M={m}" if last else f"guess {len(self.programs) + 1}"
        if inside:
            await self.announce(title, last)
        result = await self.inner.run(entry, length, m)
        if inside:
            self.programs.append(ProgramSeen(str(entry), title, length, m, result))
        self.verified += last
        return result
