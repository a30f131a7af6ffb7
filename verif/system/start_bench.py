# SPDX-License-Identifier: Apache-2.0
"""The core comes out of reset, whatever its registers held before."""

import os

import cocotb

from ga2.decoding.backends import MEMORY_BYTES
from ga2.device.rtl import RtlDevice
from ga2.spec import REGISTER_MAP, load_config


@cocotb.test()
async def the_core_answers_after_its_first_reset(dut) -> None:
    device = RtlDevice(dut, load_config(os.environ["GA2_CONFIG"]), MEMORY_BYTES)
    await device.start()
    assert await device.get("ID") == REGISTER_MAP.magic
    assert await device.get("STATUS") == 0
