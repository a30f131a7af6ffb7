# SPDX-License-Identifier: Apache-2.0
"""The clock of a bench."""

from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import Timer

CLOCK_NS = 10


async def start_clock(clk: Any) -> None:
    """Start the clock, one period after now: what was written before, the reset above all, is settled by then.

    An edge at once would meet registers and a reset as the simulator leaves them, in Verilator at random, and the
    design's assertions could end the simulation.
    """
    await Timer(CLOCK_NS, "ns")
    Clock(clk, CLOCK_NS, "ns", impl="gpi").start()
