# SPDX-License-Identifier: Apache-2.0
"""The smallest sequence, with which virtual sequences play items on the agents' sequencers."""

from pyuvm import uvm_sequence, uvm_sequence_item


class OneItem(uvm_sequence):
    """Plays one item on whichever sequencer it is started on, until the driver is done with it."""

    def __init__(self, item: uvm_sequence_item) -> None:
        super().__init__(item.get_name())
        self.item = item

    async def body(self) -> None:
        """The item."""
        await self.start_item(self.item)
        await self.finish_item(self.item)
