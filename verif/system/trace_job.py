# SPDX-License-Identifier: Apache-2.0
"""A trace of the host loop on the simulated core: carries out the job in the folder that $GA2_JOB names.

job.json names a configuration and what is wanted; result.json receives what was seen; `progress` gets a line after
every part.
"""

import json
import logging
import os
from pathlib import Path

import cocotb

from ga2.decoding.backends import JOB_VARIABLE, MEMORY_BYTES
from ga2.device.checked import CheckedDevice
from ga2.device.golden import GoldenDevice
from ga2.device.rtl import RtlDevice
from ga2.spec import load_config
from ga2.tracing.perform import Wanted, perform


@cocotb.test()
async def trace_job(dut) -> None:
    logging.getLogger("cocotb.ga2_tb").setLevel(logging.WARNING)
    folder = Path(os.environ[JOB_VARIABLE])
    job = json.loads((folder / "job.json").read_text())
    config = load_config(job["config"])
    golden, rtl = GoldenDevice(config, MEMORY_BYTES), RtlDevice(dut, config, MEMORY_BYTES)
    await rtl.start()
    with (folder / "progress").open("w", buffering=1) as lines:
        wanted = Wanted(**job["wanted"])
        seen = await perform(CheckedDevice(rtl, golden), golden, wanted, lambda done: print(done, file=lines))
    (folder / "result.json").write_text(json.dumps([seen]))
