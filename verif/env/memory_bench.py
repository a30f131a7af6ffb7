# SPDX-License-Identifier: Apache-2.0
"""The tests of the pyuvm environment on a memory that waits: $GA2_MEMORY is hostile or axi."""

import pyuvm
from pyuvm import uvm_sequencer

from verif.env.base_test import TIMEOUT, BaseTest
from verif.env.bus_error_sequence import BusErrorSequence
from verif.env.changing_memory_sequence import ChangingMemorySequence


class MemoryTest(BaseTest):
    """A test with a virtual sequence that tells the memory something and cuts programs short."""

    def sequencer(self) -> uvm_sequencer:
        return self.environment.sequencer

    def problems(self) -> list[str]:
        """That the memory never changed, or no reset came, besides."""
        environment = self.environment
        idle = [] if environment.mem_agent.driver.played else ["memory: its manners never changed"]
        idle += [] if environment.retirements.cut_short else ["no program was cut short"]
        return super().problems() + idle


@pyuvm.test(**TIMEOUT)
class ChangingMemory(MemoryTest):
    """Stalls that change in the middle of a program, a reset, and the next program right."""

    def sequence(self) -> ChangingMemorySequence:
        return ChangingMemorySequence(self.settings)


@pyuvm.test(**TIMEOUT)
class BusErrors(MemoryTest):
    """An error response in the middle of a program: the fault, and the next program right."""

    def sequence(self) -> BusErrorSequence:
        return BusErrorSequence(self.settings)
