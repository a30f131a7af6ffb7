# SPDX-License-Identifier: Apache-2.0
"""The bus functional model of an AXI address channel."""

from verif.env.bus_transfer import BusBurst
from verif.env.channel_monitor import ChannelMonitor


class BurstMonitor(ChannelMonitor):
    """One `BusBurst` for each address that AR, or AW, hands over."""

    _signals = ["valid", "ready", "addr", "len"]

    def sample(self) -> BusBurst:
        """The burst whose address is taken."""
        return BusBurst(int(self.bus.addr.value), int(self.bus.len.value) + 1)
