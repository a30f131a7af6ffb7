# SPDX-License-Identifier: Apache-2.0
"""The bus functional model of the trace port: watches `trace_*` and hands over what it sees. It judges nothing."""

from cocotb.triggers import FallingEdge
from cocotb_bus.monitors import BusMonitor

from ga2.spec import ISA
from verif.env.retirement import NOTHING, Retirement

OPS = {0: NOTHING} | {opcode: spec.name for opcode, spec in ISA.by_opcode.items()}
UNITS = {number: name for name, number in ISA.units.items()}
FAULTS = {code: fault.name for code, fault in ISA.fault_by_code.items()}


class RetireMonitor(BusMonitor):
    """One `Retirement` a cycle in which `valid` is high.

    It samples in the middle of the cycle, where both simulators have settled. An x on `valid` ends the test.
    """

    _signals = ["valid", "seq", "pc", "opcode", "unit", "dst_lo", "dst_hi", "fault"]

    async def _monitor_recv(self) -> None:
        while True:
            await FallingEdge(self.clock)
            if not self.in_reset and bool(self.bus.valid.value):
                self._recv(self._sample())

    def _sample(self) -> Retirement:
        seen = {name: int(getattr(self.bus, name).value) for name in self._signals}
        return Retirement(
            seen["seq"],
            seen["pc"],
            OPS.get(seen["opcode"], hex(seen["opcode"])),
            UNITS.get(seen["unit"], hex(seen["unit"])),
            (seen["dst_lo"], seen["dst_hi"]),
            FAULTS.get(seen["fault"], hex(seen["fault"])),
        )
