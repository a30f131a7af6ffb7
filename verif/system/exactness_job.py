# SPDX-License-Identifier: Apache-2.0
"""A part of the exactness campaign on the simulated core: carries out the job in the folder that $GA2_JOB names.

job.json names a configuration, a seed and a list of tasks; result.json receives their verdicts; `progress` gets a line
with the number of tasks done. What a case finds is a verdict, not a failure: whoever started the job judges it.
"""

import json
import logging
import os
from dataclasses import asdict
from pathlib import Path

import cocotb

from ga2.decoding.backends import JOB_VARIABLE, MEMORY_BYTES
from ga2.device.checked import CheckedDevice
from ga2.device.golden import GoldenDevice
from ga2.device.rtl import RtlDevice
from ga2.exactness.campaign import perform, task_from
from ga2.exactness.lean import LeanDevice
from ga2.spec import load_config


@cocotb.test()
async def exactness_job(dut) -> None:
    logging.getLogger("cocotb.ga2_tb").setLevel(logging.WARNING)
    folder = Path(os.environ[JOB_VARIABLE])
    job = json.loads((folder / "job.json").read_text())
    config = load_config(job["config"])
    tasks = [task_from(config, task) for task in job["tasks"]]
    golden = GoldenDevice(config, MEMORY_BYTES)
    lean = all(task.rule for task in tasks)
    rtl = (LeanDevice if lean else RtlDevice)(dut, config, MEMORY_BYTES)
    await rtl.start()
    device = rtl if lean else CheckedDevice(rtl, golden)
    with (folder / "progress").open("w", buffering=1) as lines:
        verdicts = await perform(device, golden, job["seed"], tasks, lambda done: print(done, file=lines))
    (folder / "result.json").write_text(json.dumps([asdict(verdict) for verdict in verdicts]))
