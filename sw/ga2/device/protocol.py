# SPDX-License-Identifier: Apache-2.0
"""What the host loop needs of a core: load an image, write, read, set windows, run a program.

Every method is async, because a simulated core needs clock cycles for all of them. The golden device never
suspends, so `run_sync` drives the same host loop without an event loop.
"""

from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from ga2.isa.image import Image
from ga2.spec import Config

Result = TypeVar("Result")

WINDOWS = 4


@dataclass(frozen=True)
class Window:
    """An external window: byte address, bytes, and whether stores may go there."""

    base: int
    size: int
    writable: bool = False


@dataclass(frozen=True)
class FaultReport:
    """Why a program stopped: the fault's name in spec/isa.yaml, the pc, and the offending address or value."""

    name: str
    pc: int
    address: int


@dataclass(frozen=True)
class RunResult:
    """One program's run. `counters` holds every counter of spec/registers.yaml by name.

    `start_cycle` is the cycle in which START's write was accepted and `irq_cycle` the one in which irq rose, on the
    device's own clock; their distance over a whole run is the wall time, host traffic included.
    """

    counters: dict[str, int]
    fault: FaultReport | None = None
    retirements: Sequence[Any] | None = None
    start_cycle: int = 0
    irq_cycle: int = 0


class Device(Protocol):
    """A core with its external memory. Addresses and sizes are bytes."""

    config: Config

    async def load_image(self, image: Image, address: int) -> None:
        """Put the image into external memory at `address` and load it into instruction and constant memory."""

    async def write(self, address: int, data: bytes) -> None:
        """Write external memory."""

    async def read(self, address: int, size: int) -> bytes:
        """Read external memory."""
        ...

    async def set_windows(self, windows: Sequence[Window]) -> None:
        """Set the first windows; the rest become empty."""

    async def run(self, entry: str | int, length: int, m: int) -> RunResult:
        """Run the program at an entry's name or pc, with LEN = `length` and M = `m`, until done or faulted."""
        ...


def run_sync(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine that never suspends (a host loop on the golden device)."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise RuntimeError("the coroutine waits for something: it needs a simulator")
