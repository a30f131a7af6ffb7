# SPDX-License-Identifier: Apache-2.0
"""The AXI4 rules that a bus master of the core must keep, checked cycle by cycle on sampled signals."""

from collections import deque

PAGE_BYTES = 4096


class ChannelRules:
    """Valid stays, and its payload does not change, until ready."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._waiting: tuple[int, ...] | None = None

    def check(self, valid: bool, ready: bool, payload: tuple[int, ...]) -> bool:
        """One cycle; True if it is a handshake."""
        if self._waiting is not None:
            assert valid, f"{self.name}: valid fell before ready"
            assert payload == self._waiting, f"{self.name}: payload changed before ready"
        self._waiting = payload if valid and not ready else None
        return valid and ready


class AddressRules(ChannelRules):
    """Bursts stay in their page and start on a bus word; `bursts` are the accepted (address, beats)."""

    def __init__(self, name: str, bus_bytes: int) -> None:
        super().__init__(name)
        self.bus_bytes = bus_bytes
        self.bursts: list[tuple[int, int]] = []

    def check_burst(self, valid: bool, ready: bool, address: int, length: int) -> None:
        """One cycle of the address channel; `length` is AxLEN."""
        if self.check(valid, ready, (address, length)):
            size = (length + 1) * self.bus_bytes
            assert address % self.bus_bytes == 0, f"{self.name}: {address:#x} is not on a bus word"
            assert address % PAGE_BYTES + size <= PAGE_BYTES, f"{self.name}: {address:#x} + {size} leaves its page"
            self.bursts.append((address, length + 1))


class WriteDataRules(ChannelRules):
    """WLAST marks the last beat of each burst, in the order of their addresses."""

    def __init__(self) -> None:
        super().__init__("W")
        self.bursts: deque[int] = deque()
        self.beats = 0
        self._beat = 0

    def check_beat(self, valid: bool, ready: bool, data: int, last: bool) -> bool:
        """One cycle; `bursts` holds the beats of the bursts whose addresses were valid so far. True on a beat."""
        taken = self.check(valid, ready, (data, last))
        if taken:
            self.beats += 1
            self._beat += 1
            assert self.bursts, "W: a beat without a burst"
            assert last == (self._beat == self.bursts[0]), f"W: WLAST is {last} in beat {self._beat}"
            if last:
                self._beat = 0
                self.bursts.popleft()
        return taken
