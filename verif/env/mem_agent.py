# SPDX-License-Identifier: Apache-2.0
"""The agent of the memory: its manners, and the monitors of the core's AXI master."""

from pyuvm import ConfigDB, uvm_agent, uvm_analysis_port, uvm_sequencer

from verif.env.beat_monitor import BeatMonitor
from verif.env.burst_monitor import BurstMonitor
from verif.env.mem_driver import MemDriver
from verif.env.settings import settings_of


class MemAgent(uvm_agent):
    """Publishes every read burst, write burst and write beat in the cycle in which the memory takes it.

    R and B are not watched here: what R brings is seen where it is written, in the scratchpad; the protocol of all
    channels is the business of `verif/tb/ga2_axi_rules.sv`.
    """

    def build_phase(self) -> None:
        self.reads_ap = uvm_analysis_port("reads_ap", self)
        self.writes_ap = uvm_analysis_port("writes_ap", self)
        self.beats_ap = uvm_analysis_port("beats_ap", self)
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = MemDriver("driver", self)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)

    def start_of_simulation_phase(self) -> None:
        settings, dut = settings_of(self), ConfigDB().get(self, "", "DUT")
        if settings.watch_bus:
            named = {"reset_n": dut.rst_n, "bus_separator": ""}
            prefix = settings.bus_prefix
            self.bfms = [
                BurstMonitor(dut, f"{prefix}ar", dut.clk, callback=self.reads_ap.write, **named),
                BurstMonitor(dut, f"{prefix}aw", dut.clk, callback=self.writes_ap.write, **named),
                BeatMonitor(dut, f"{prefix}w", dut.clk, callback=self.beats_ap.write, **named),
            ]
