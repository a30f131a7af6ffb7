# SPDX-License-Identifier: Apache-2.0
"""The bus functional model of the trace port: watches `trace_*` and hands over what it sees. It judges nothing."""

from ga2.spec import ISA
from verif.env.channel_monitor import ChannelMonitor
from verif.env.retirement import NOTHING, Retirement

OPS = {0: NOTHING} | {opcode: spec.name for opcode, spec in ISA.by_opcode.items()}
UNITS = {number: name for name, number in ISA.units.items()}
FAULTS = {code: fault.name for code, fault in ISA.fault_by_code.items()}


class RetireMonitor(ChannelMonitor):
    """One `Retirement` a cycle in which `valid` is high."""

    _signals = ["valid", "seq", "pc", "opcode", "unit", "dst_lo", "dst_hi", "fault"]

    def sample(self) -> Retirement:
        """The record that the core shows."""
        seen = {name: int(getattr(self.bus, name).value) for name in self._signals}
        return Retirement(
            seen["seq"],
            seen["pc"],
            OPS.get(seen["opcode"], hex(seen["opcode"])),
            UNITS.get(seen["unit"], hex(seen["unit"])),
            (seen["dst_lo"], seen["dst_hi"]),
            FAULTS.get(seen["fault"], hex(seen["fault"])),
        )
