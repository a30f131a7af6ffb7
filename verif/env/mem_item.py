# SPDX-License-Identifier: Apache-2.0
"""The transaction of the memory agent: from now on wait like this."""

from pyuvm import uvm_sequence_item

from verif.core.stall_profile import Profile


class MemItem(uvm_sequence_item):
    """After `delay` cycles the memory takes on the manner of `profile`."""

    def __init__(self, profile: Profile, delay: int = 0) -> None:
        super().__init__(f"memory {profile.name}")
        self.profile, self.delay = profile, delay
