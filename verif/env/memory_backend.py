# SPDX-License-Identifier: Apache-2.0
"""The memories that can answer the core, and the device that drives the testbench of each."""

import random
from typing import Any

from ga2.device.rtl import RtlDevice
from ga2.sim.build import Build, build_axi, build_core, build_hostile
from verif.core.axi_device import AxiDevice
from verif.core.hostile_device import HostileDevice
from verif.env.settings import Memory, Settings


def device_of(dut: Any, settings: Settings) -> RtlDevice:
    """The device for the testbench whose top level is `dut`."""
    if settings.memory is Memory.HOSTILE:
        return HostileDevice(dut, settings.config, settings.memory_bytes)
    if settings.memory is Memory.AXI:
        return AxiDevice(dut, settings.config, settings.memory_bytes, random.Random(settings.first_seed))
    return RtlDevice(dut, settings.config, settings.memory_bytes)


def build_for(memory: Memory, config: str, sim: str, memory_bytes: int) -> Build:
    """The testbench with that memory."""
    if memory is Memory.HOSTILE:
        return build_hostile(config, sim, memory_bytes=memory_bytes)
    if memory is Memory.AXI:
        return build_axi(config, sim)
    return build_core(config, sim, memory_bytes=memory_bytes)
