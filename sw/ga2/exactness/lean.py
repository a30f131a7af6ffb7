# SPDX-License-Identifier: Apache-2.0
"""The simulated core for long decodings: the register traffic cut to what a program needs."""

from typing import Any

from ga2.device.protocol import RunResult
from ga2.device.rtl import RtlDevice
from ga2.spec import REGISTERS, Config

KEPT = ("ENTRY", "LEN", "M")  # registers that keep their value from program to program


class LeanDevice(RtlDevice):
    """Counters are not read: results hold none, and `start_cycle` is 0. Whoever uses it needs another judge."""

    def __init__(self, dut: Any, config: Config, memory_bytes: int) -> None:
        super().__init__(dut, config, memory_bytes)
        self._held: dict[str, int] = {}

    async def reset(self) -> None:
        """Reset the core; what its registers hold is forgotten."""
        self._held.clear()
        await super().reset()

    async def set(self, register: str, value: int) -> None:
        """Write a register by name, unless it holds the value already."""
        if self._held.get(register) != value:
            await super().set(register, value)
        if register in KEPT:
            self._held[register] = value

    async def finish(self) -> RunResult:
        """Wait for the interrupt of the program begun and clear it; DeviceError if there is none."""
        irq_cycle = await self.interrupt()
        fault = await self.fault()
        if fault is None:  # then no transaction is outstanding either
            await self.set("CTRL", 1 << REGISTERS["CTRL"].fields["clear"])
        else:
            await self.clear()
        return RunResult({}, fault, irq_cycle=irq_cycle)
