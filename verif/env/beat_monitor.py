# SPDX-License-Identifier: Apache-2.0
"""The bus functional model of the AXI write data channel."""

from verif.env.bus_transfer import BusBeat
from verif.env.channel_monitor import ChannelMonitor


class BeatMonitor(ChannelMonitor):
    """One `BusBeat` for each beat that W hands over."""

    _signals = ["valid", "ready", "data", "strb", "last"]

    def sample(self) -> BusBeat:
        """The beat that is taken."""
        value = self.bus.data.value
        data: tuple[int | None, ...]
        if value.is_resolvable:
            data = tuple(int(value).to_bytes(len(value) // 8, "little"))
        else:
            digits = str(value)
            bytes_up = [digits[at : at + 8] for at in range(0, len(digits), 8)][::-1]
            data = tuple(int(bits, 2) if set(bits) <= {"0", "1"} else None for bits in bytes_up)
        return BusBeat(data, int(self.bus.strb.value), bool(self.bus.last.value))
