# SPDX-License-Identifier: Apache-2.0
"""The sequencers of all active agents, for sequences that coordinate them."""

from pyuvm import uvm_sequencer


class VirtualSequencer(uvm_sequencer):
    """`csr`, `mem` and `reset` are the sequencers of the agents of those names."""

    csr: uvm_sequencer
    mem: uvm_sequencer
    reset: uvm_sequencer
