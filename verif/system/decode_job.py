# SPDX-License-Identifier: Apache-2.0
"""The host loop on the simulated core: carries out the job in the folder that $GA2_JOB names.

job.json names a configuration and a list of requests; result.json receives their outcomes; `progress` gets a line
"request emitted wanted" after every block. A difference from the golden model is an outcome, not a failure: whoever
started the job judges it.
"""

import json
import logging
import os
from pathlib import Path

import cocotb

from ga2.decoding.backends import JOB_VARIABLE
from ga2.decoding.perform import perform
from ga2.decoding.request import Request
from ga2.device.checked import CheckedDevice
from ga2.device.golden import GoldenDevice
from ga2.device.rtl import RtlDevice
from ga2.spec import load_config


@cocotb.test()
async def decode_job(dut) -> None:
    logging.getLogger("cocotb.ga2_tb").setLevel(logging.WARNING)
    folder = Path(os.environ[JOB_VARIABLE])
    job = json.loads((folder / "job.json").read_text())
    config = load_config(job["config"])
    golden = GoldenDevice(config, job["memory_bytes"])
    rtl = RtlDevice(dut, config, job["memory_bytes"])
    await rtl.start()
    with (folder / "progress").open("w", buffering=1) as lines:
        outcomes = await perform(
            CheckedDevice(rtl, golden),
            [Request(**request) for request in job["requests"]],
            lambda index, done, wanted: print(index, done, wanted, file=lines),
        )
    (folder / "result.json").write_text(json.dumps([outcome.to_json() for outcome in outcomes]))
