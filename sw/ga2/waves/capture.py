# SPDX-License-Identifier: Apache-2.0
"""Run a decoding on the simulated core up to the end of one block, and keep the dump of that block."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ga2.decoding.backends import JOB_VARIABLE, MEMORY_BYTES, pass_on
from ga2.decoding.parts import session_of
from ga2.decoding.perform import Progress
from ga2.decoding.request import Request
from ga2.sim import build_core, run
from ga2.sim.scratch import scratch
from ga2.spec import load_config
from ga2.waves.expected import ExpectedBlock
from ga2.waves.texts import texts

JOB_MODULE = "verif.system.wave_job"
DUMP = "block.fst"


@dataclass(frozen=True)
class Capture:
    """A dumped block. `dump` lies in a folder that ends with the `capture` context.

    programs: those that ended, as JSON values. tokens: what the core decoded, empty if it stopped.
    difference, blame, error: what is wrong with the run, None if nothing.
    """

    expected: ExpectedBlock
    texts: dict[int, str]
    dump: Path
    programs: list[dict[str, Any]]
    tokens: list[int]
    error: str | None
    difference: str | None
    blame: tuple[int, str] | None


def up_to(request: Request, expected: ExpectedBlock) -> Request:
    """The same decoding, ending with the block."""
    return replace(request, tokens=min(request.tokens, expected.emitted))


@contextmanager
def capture(config: str, sim: str, request: Request, expected: ExpectedBlock, progress: Progress) -> Iterator[Capture]:
    """Dump block `expected`, every program compared with the golden model. The run ends with the block.

    Raises ToolMissing, BuildError or SimulationError.
    """
    sizes = load_config(config)
    lanes = texts(session_of(request, sizes).model)
    build = build_core(config, sim, memory_bytes=MEMORY_BYTES, probe=True)
    with scratch("job") as job:
        description = {
            "config": config,
            "memory_bytes": MEMORY_BYTES,
            "request": asdict(request),
            "tokens": up_to(request, expected).tokens,
            "block": expected.number,
            "texts": [lanes.get(pc, "") for pc in range(sizes.imem_depth)],
        }
        (job / "job.json").write_text(json.dumps(description))
        finished = run(
            build,
            JOB_MODULE,
            env={JOB_VARIABLE: str(job)},
            watch=lambda _: pass_on(job / "progress", progress),
            keep=True,
        )
        assert finished.directory is not None
        result = json.loads((job / "result.json").read_text())
        blame = result.pop("blame")
        try:
            yield Capture(
                expected=expected,
                texts=lanes,
                dump=finished.directory / DUMP,
                programs=result["programs"],
                tokens=result["tokens"],
                error=result["error"],
                difference=result["difference"],
                blame=None if blame is None else (int(blame[0]), str(blame[1])),
            )
        finally:
            shutil.rmtree(finished.directory, ignore_errors=True)
