# SPDX-License-Identifier: Apache-2.0
"""The base of the bus functional models that watch a channel: it sleeps while `valid` is low."""

from typing import Any

from cocotb.triggers import FallingEdge
from cocotb_bus.monitors import BusMonitor


def high(signal: Any) -> bool:
    """Whether a handshake's signal is 1. ValueError names one that is neither 0 nor 1."""
    if not signal.value.is_resolvable:
        raise ValueError(f"{signal._path} is {signal.value}: a handshake must be 0 or 1")
    return bool(signal.value)


class ChannelMonitor(BusMonitor):
    """Hands over what `sample` makes of each cycle in which `valid`, and `ready` if there is one, is high.

    A subclass names its signals, `valid` among them; signals are found as `<name><separator><signal>` in the entity.
    It samples in the middle of the cycle, where both simulators have settled. An x on `valid` or `ready` ends the test.
    """

    _signals: list[str] = ["valid"]

    def sample(self) -> Any:
        """The transaction of this cycle."""
        raise NotImplementedError

    async def _monitor_recv(self) -> None:
        valid, ready = self.bus.valid, getattr(self.bus, "ready", None)
        while True:
            await FallingEdge(self.clock)
            if self.in_reset:
                await self._reset_n.value_change
            elif not high(valid):
                await valid.value_change
            elif ready is None or high(ready):
                self._recv(self.sample())
