# SPDX-License-Identifier: Apache-2.0
"""Jobs in a simulator process: a JSON description in, one JSON result a task out, and how far it is meanwhile."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ga2.decoding.backends import JOB_VARIABLE, MEMORY_BYTES
from ga2.sim import build_core, run
from ga2.sim.scratch import scratch

Progress = Callable[[float], None]  # tasks done, the one under way as a fraction


def carry_out(config: str, sim: str, module: str, description: Mapping[str, Any], progress: Progress,
              memory_bytes: int = MEMORY_BYTES) -> list[Any]:  # fmt: skip
    """Run the bench `module` on the core of a configuration, in one simulator process; its results.

    The bench finds `description` as job.json in the folder that $GA2_JOB names, writes result.json there, and may add
    lines with the number of tasks done to `progress`. Builds the simulation if needed. Raises ToolMissing, BuildError
    or SimulationError.
    """
    build = build_core(config, sim, memory_bytes=memory_bytes)
    with scratch("job") as job:
        (job / "job.json").write_text(json.dumps(dict(description)))
        run(build, module, env={JOB_VARIABLE: str(job)}, watch=lambda _: _report(job / "progress", progress))
        return json.loads((job / "result.json").read_text())


def _report(path: Path, progress: Progress) -> None:
    """Pass on the latest whole line of the job's progress file."""
    if path.is_file():
        lines = path.read_text().rpartition("\n")[0].splitlines()
        if lines:
            progress(float(lines[-1]))
