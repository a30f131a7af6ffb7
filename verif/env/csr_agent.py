# SPDX-License-Identifier: Apache-2.0
"""The active agent of the control port."""

from pyuvm import uvm_agent, uvm_sequencer

from verif.env.csr_driver import CsrDriver


class CsrAgent(uvm_agent):
    """A sequencer and the driver, whose analysis ports it passes on."""

    def build_phase(self) -> None:
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = CsrDriver("driver", self)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
