# SPDX-License-Identifier: Apache-2.0
"""Tasks of the speed bench on the simulated core: carries out the job in the folder that $GA2_JOB names.

job.json names a configuration, the size of external memory and tasks; result.json receives the programs of each with
their counters, and the first difference from the golden model; `progress` gets a line with the programs done so far.
"""

import json
import logging
import os
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

import cocotb

from ga2.bench.tasks import perform
from ga2.decoding.backends import JOB_VARIABLE
from ga2.device.checked import CheckedDevice
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import RunResult
from ga2.device.rtl import RtlDevice
from ga2.spec import load_config


class ReportingDevice(CheckedDevice):
    """Writes the number of programs done to `lines`."""

    def __init__(self, rtl: RtlDevice, golden: GoldenDevice, lines: TextIO) -> None:
        super().__init__(rtl, golden)
        self.lines, self.done = lines, 0

    async def run(self, entry: str | int, length: int, m: int) -> RunResult:
        result = await super().run(entry, length, m)
        self.done += 1
        print(self.done, file=self.lines)
        return result


@cocotb.test()
async def bench_job(dut) -> None:
    logging.getLogger("cocotb.ga2_tb").setLevel(logging.WARNING)
    folder = Path(os.environ[JOB_VARIABLE])
    job = json.loads((folder / "job.json").read_text())
    config, results = load_config(job["config"]), []
    rtl = RtlDevice(dut, config, job["memory_bytes"])
    await rtl.start()
    with (folder / "progress").open("w", buffering=1) as lines:
        device = ReportingDevice(rtl, GoldenDevice(config, job["memory_bytes"]), lines)
        for task in job["tasks"]:
            device.forget_differences()
            programs = [asdict(ran) for ran in await perform(device, task)]
            found = None if device.difference is None else str(device.difference)
            results.append({"task": task, "programs": programs, "difference": found})
    (folder / "result.json").write_text(json.dumps(results))
