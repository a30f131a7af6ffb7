# SPDX-License-Identifier: Apache-2.0
"""The golden device: the interpreter's bytes and the timing model's counters behind the device protocol."""

from collections.abc import Callable, Sequence
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from ga2.device.compare import Contents
from ga2.device.protocol import RunResult, Window
from ga2.golden.interpreter import Core, Outcome
from ga2.golden.memory import DEFAULT_BYTES, Memory
from ga2.isa.image import Image
from ga2.spec import Config

Predict = Callable[[Config, Outcome], dict[str, int]]
"""Every counter of a run by name, from the instructions that it dispatched and how it ended."""


def timing_model() -> Predict:
    """The timing model's prediction. Imported on use: it is built on this package's resolved operations."""
    return import_module("ga2.timing.model").predict


class GoldenDevice:
    """A core that never waits. Its clock counts the cycles of its programs alone: no host time between them."""

    def __init__(self, config: Config, memory_bytes: int = DEFAULT_BYTES, predict: Predict | None = None) -> None:
        self.config = config
        self.core = Core(config)
        self.memory = Memory(memory_bytes)
        self._predict = predict or timing_model()
        self._windows: tuple[Window, ...] = ()
        self._entries: dict[str, int] = {}
        self._clock = 0

    async def load_image(self, image: Image, address: int) -> None:
        """Write the image to external memory at `address` and load it; ImageError if it does not fit."""
        image.check(self.config)
        await self.write(address, image.memory_bytes())
        self.core.load_image(self.memory, address, len(image.instructions), len(image.constants))
        self._entries = dict(image.entries)

    async def write(self, address: int, data: bytes) -> None:
        """Write external memory; BusError beyond its end."""
        self.memory.write(address, data)

    async def read(self, address: int, size: int) -> bytes:
        """Read external memory; BusError beyond its end."""
        return self.memory.read(address, size).tobytes()

    async def set_windows(self, windows: Sequence[Window]) -> None:
        """Set the first windows; the rest become empty."""
        self._windows = tuple(windows)

    async def run(self, entry: str | int, length: int, m: int) -> RunResult:
        """Run a program by its entry's name or pc; KeyError names the entries that exist."""
        if isinstance(entry, str):
            if entry not in self._entries:
                raise KeyError(f"no entry '{entry}': the image has {', '.join(self._entries) or 'none'}")
            entry = self._entries[entry]
        outcome = self.core.run(self.memory, self._windows, entry, length, m)
        counters = self._predict(self.config, outcome)
        start = self._clock
        self._clock += counters.get("total", 0)
        return RunResult(counters, outcome.fault, outcome.retirements, start, self._clock)

    def contents(self) -> Contents:
        """External memory and scratchpad as they are, not copied; known are the bytes ever written."""
        return Contents(self.memory_array(), *self.scratchpad_array())

    def memory_array(self) -> NDArray[np.uint8]:
        """All of external memory."""
        return self.memory.data

    def scratchpad_array(self) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """The scratchpad's bytes and which of them were ever written, both flat."""
        return self.core.spad.data.reshape(-1), self.core.written_bytes.reshape(-1)
