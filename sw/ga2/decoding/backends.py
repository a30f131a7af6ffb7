# SPDX-License-Identifier: Apache-2.0
"""Requests in, outcomes out: on the golden device in this process, or on the RTL in one simulator process."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ga2.decoding.perform import Progress, perform
from ga2.decoding.request import Outcome, Request
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.sim import build_core, run
from ga2.sim.scratch import scratch
from ga2.spec import load_config

JOB_VARIABLE = "GA2_JOB"  # names the folder that holds job.json and receives result.json and progress
JOB_MODULE = "verif.system.decode_job"
MEMORY_BYTES = 1 << 16  # external memory: holds the tiny models in every configuration; a dump a program is quick


def on_golden(config: str, requests: Sequence[Request], progress: Progress) -> list[Outcome]:
    """Decode on the golden model; its cycles are the timing model's."""
    return run_sync(perform(GoldenDevice(load_config(config), MEMORY_BYTES), requests, progress))


def on_rtl(
    config: str, sim: str, requests: Sequence[Request], progress: Progress, *, waves: bool = False
) -> list[Outcome]:
    """Decode on the simulated core, every program compared with the golden model.

    Builds the simulation if needed. Raises ToolMissing, BuildError or SimulationError.
    """
    build = build_core(config, sim, memory_bytes=MEMORY_BYTES, waves=waves)
    with scratch("job") as job:
        asked = [asdict(request) for request in requests]
        description = {"config": config, "memory_bytes": MEMORY_BYTES, "requests": asked}
        (job / "job.json").write_text(json.dumps(description))
        run(build, JOB_MODULE, env={JOB_VARIABLE: str(job)}, watch=lambda _: pass_on(job / "progress", progress))
        return [Outcome(**outcome) for outcome in json.loads((job / "result.json").read_text())]


def pass_on(path: Path, progress: Progress) -> None:
    """Pass on the latest line of the job's progress file, once it is complete."""
    if path.is_file():
        lines = path.read_text().rpartition("\n")[0].splitlines()
        if lines:
            index, done, wanted = map(int, lines[-1].split())
            progress(index, done, wanted)
