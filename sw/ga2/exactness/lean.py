# SPDX-License-Identifier: Apache-2.0
"""The simulated core for long decodings: the register traffic cut to what a program needs."""

from ga2.device.protocol import RunResult
from ga2.device.rtl import RtlDevice


class LeanDevice(RtlDevice):
    """Counters are not read: results hold none, and `start_cycle` is 0. Whoever uses it needs another judge."""

    async def finish(self) -> RunResult:
        """Wait for the interrupt of the program begun and clear it; DeviceError if there is none."""
        irq_cycle = await self.interrupt()
        fault = await self.fault()
        await self.clear()
        return RunResult({}, fault, irq_cycle=irq_cycle)
