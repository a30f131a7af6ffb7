# SPDX-License-Identifier: Apache-2.0
"""External memory as the core sees it: bytes from address 0 up; beyond them every access answers DECERR."""

import numpy as np
from numpy.typing import NDArray

DEFAULT_BYTES = 1 << 20


class BusError(Exception):
    """An access beyond the memory; `address` is the first byte that is not there."""

    def __init__(self, address: int) -> None:
        super().__init__(f"no memory at 0x{address:x}")
        self.address = address


class Memory:
    """`size` bytes. With `record` a list, every write is appended to it as (address, bytes)."""

    def __init__(self, size: int = DEFAULT_BYTES) -> None:
        self.data: NDArray[np.uint8] = np.zeros(size, np.uint8)
        self.record: list[tuple[int, bytes]] | None = None

    def _check(self, address: int, size: int) -> None:
        if address < 0 or address + size > len(self.data):
            raise BusError(max(address, len(self.data)))

    def read(self, address: int, size: int) -> NDArray[np.uint8]:
        """A view of `size` bytes; BusError beyond the end."""
        self._check(address, size)
        return self.data[address : address + size]

    def write(self, address: int, data: bytes | NDArray[np.uint8]) -> None:
        """Write bytes; BusError, with nothing written, beyond the end."""
        raw = np.frombuffer(data, np.uint8) if isinstance(data, bytes | bytearray) else data
        self._check(address, len(raw))
        self.data[address : address + len(raw)] = raw
        if self.record is not None:
            self.record.append((address, raw.tobytes()))
