# SPDX-License-Identifier: Apache-2.0
"""The active agent of the reset line."""

from pyuvm import uvm_agent, uvm_sequencer

from verif.env.reset_driver import ResetDriver


class ResetAgent(uvm_agent):
    """A sequencer and the driver, whose analysis port tells of every reset."""

    def build_phase(self) -> None:
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = ResetDriver("driver", self)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
