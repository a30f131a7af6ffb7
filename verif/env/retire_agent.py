# SPDX-License-Identifier: Apache-2.0
"""The passive agent of the trace port: a monitor and an analysis port."""

from pyuvm import ConfigDB, uvm_agent, uvm_analysis_port

from verif.env.retire_monitor import RetireMonitor


class RetireAgent(uvm_agent):
    """Publishes every `Retirement` on `ap`, in the cycle in which the core shows it."""

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)

    def start_of_simulation_phase(self) -> None:
        dut = ConfigDB().get(self, "", "DUT")
        self.bfm = RetireMonitor(dut, "trace", dut.clk, reset_n=dut.rst_n, callback=self.ap.write)
