# SPDX-License-Identifier: Apache-2.0
"""The transaction of the reset agent: a reset after some cycles."""

from pyuvm import uvm_sequence_item


class ResetItem(uvm_sequence_item):
    """After `delay` cycles the core is held in reset for `length` cycles."""

    def __init__(self, delay: int = 0, length: int = 4) -> None:
        super().__init__(f"reset after {delay}")
        self.delay, self.length = delay, length
