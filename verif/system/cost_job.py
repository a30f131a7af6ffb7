# SPDX-License-Identifier: Apache-2.0
"""Target passes on the simulated core, for their counters: carries out the job in the folder that $GA2_JOB names.

job.json names a configuration and passes (LEN, M); result.json receives the counters of each and its first difference
from the golden model; `progress` gets a line with the number of passes done.
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
from ga2.speculation.chip import ChipPlayer
from ga2.speculation.session import load
from ga2.stimulus import build_session


@cocotb.test()
async def cost_job(dut) -> None:
    logging.getLogger("cocotb.ga2_tb").setLevel(logging.WARNING)
    folder = Path(os.environ[JOB_VARIABLE])
    job = json.loads((folder / "job.json").read_text())
    config, results = load_config(job["config"]), []
    rtl = RtlDevice(dut, config, MEMORY_BYTES)
    await rtl.start()
    device, session = CheckedDevice(rtl, GoldenDevice(config, MEMORY_BYTES)), build_session(config)
    await load(device, session)
    player = ChipPlayer(device, session)
    with (folder / "progress").open("w", buffering=1) as lines:
        for done, (length, rows) in enumerate(job["passes"], start=1):
            device.forget_differences()
            await player.verify([row % session.vocabulary for row in range(rows)], length)
            found = None if device.difference is None else str(device.difference)
            counters = player.runs[-1].result.counters
            results.append({"cache": length, "rows": rows, "counters": counters, "difference": found})
            print(done, file=lines)
    (folder / "result.json").write_text(json.dumps(results))
