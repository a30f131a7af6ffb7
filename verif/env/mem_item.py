# SPDX-License-Identifier: Apache-2.0
"""The transaction of the memory agent: from now on wait like this, and fail there."""

from pyuvm import uvm_sequence_item

from verif.core.stall_profile import Profile
from verif.env.program_item import BusError


class MemItem(uvm_sequence_item):
    """After `delay` cycles the memory takes on the manner of `profile`, and answers with an error at `bad` alone."""

    def __init__(self, profile: Profile, delay: int = 0, bad: BusError | None = None) -> None:
        super().__init__(f"memory {profile.name}")
        self.profile, self.delay, self.bad = profile, delay, bad
