# SPDX-License-Identifier: Apache-2.0
"""External memory for the golden model that knows what was accessed and fails where the bench's slave fails."""

import numpy as np
from numpy.typing import NDArray

from ga2.golden.memory import BusError, Memory


class WatchedMemory(Memory):
    """`accesses` are (kind, address, bytes) since it was last emptied; `bad` is (kind, address) of an error."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.accesses: list[tuple[str, int, int]] = []
        self.bad: tuple[str, int] | None = None

    def read(self, address: int, size: int) -> NDArray[np.uint8]:
        """As `Memory.read`; BusError at a bad address."""
        self._watch("read", address, size)
        return super().read(address, size)

    def write(self, address: int, data: bytes | NDArray[np.uint8]) -> None:
        """As `Memory.write`; BusError at a bad address."""
        self._watch("write", address, len(data))
        super().write(address, data)

    def _watch(self, kind: str, address: int, size: int) -> None:
        self.accesses.append((kind, address, size))
        if self.bad and self.bad[0] == kind and address <= self.bad[1] < address + size:
            raise BusError(self.bad[1])
