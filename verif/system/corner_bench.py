# SPDX-License-Identifier: Apache-2.0
"""The corner cases of the host loop on the core, every program compared with the golden model."""

import logging
import os

import cocotb

from ga2.decoding.backends import MEMORY_BYTES
from ga2.device.golden import GoldenDevice
from ga2.device.rtl import RtlDevice
from ga2.spec import load_config
from ga2.stimulus import build_session
from verif.locate.located_device import LocatedDevice
from verif.system.corners import CORNERS, check_corner

CONFIG = load_config(os.environ["GA2_CONFIG"])


@cocotb.test()
async def every_corner(dut) -> None:
    """One after another, without a reset between them."""
    logging.getLogger("cocotb.ga2_tb").setLevel(logging.WARNING)
    rtl = RtlDevice(dut, CONFIG, MEMORY_BYTES)
    await rtl.start()
    device = LocatedDevice(rtl, GoldenDevice(CONFIG, MEMORY_BYTES))
    session = build_session(CONFIG)
    for corner in CORNERS:
        await check_corner(device, session, corner)
        assert device.difference is None, f"{corner.name}: {device.report}"
        dut._log.info("%s: as expected", corner.name)
