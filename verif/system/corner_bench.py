# SPDX-License-Identifier: Apache-2.0
"""The corner cases of the host loop on the core, every program compared with the golden model."""

import os

import cocotb

from ga2.spec import load_config
from ga2.stimulus import build_session
from verif.locate.located_device import LocatedDevice
from verif.system.corners import CORNERS, check_corner

CONFIG = load_config(os.environ["GA2_CONFIG"])


@cocotb.test()
async def every_corner(dut) -> None:
    """One after another, without a reset between them."""
    device = await LocatedDevice.started(dut, CONFIG)
    session = build_session(CONFIG)
    for corner in CORNERS:
        await check_corner(device, session, corner)
        assert device.difference is None, f"{corner.name}: {device.report}"
        dut._log.info("%s: as expected", corner.name)
