# SPDX-License-Identifier: Apache-2.0
"""Every target of `fusesoc.core` as `fusesoc run` carries it out, one after another."""

import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

import yaml

from ga2.isa.image import write_whole
from ga2.sim import SIMULATORS, ToolMissing
from ga2.sim.build import build_root
from ga2.sim.errors import tail
from ga2.sim.guard import run_guarded
from ga2.sim.sources import CORE_FILE, ROOT

CORE = "ga2:core:ga2"
SIMULATION = "ga2sim"


@dataclass(frozen=True)
class Job:
    """One call of `fusesoc run`. `tool` is empty for a target that has only one."""

    target: str
    tool: str
    config: str

    @property
    def arguments(self) -> list[str]:
        """What follows `fusesoc`."""
        options = [f"--tool={self.tool}"] if self.tool else []
        return ["--cores-root=.", "run", f"--target={self.target}", CORE, *options, f"--config={self.config}"]

    @property
    def log(self) -> Path:
        """Where the output goes."""
        return build_root() / "fusesoc" / f"{'-'.join(filter(None, [self.target, self.tool, self.config]))}.log"


@dataclass(frozen=True)
class Done:
    """A finished call: its exit code, seconds, and its output."""

    job: Job
    code: int
    seconds: float
    text: str

    @property
    def last(self) -> str:
        """The output's last line."""
        return self.text.rstrip().rpartition("\n")[2]

    @property
    def problem(self) -> str:
        """The end of a failed call's log and the command that repeats it."""
        return f"{tail(self.text)}\nlog: {self.job.log}\nto reproduce: .venv/bin/fusesoc {' '.join(self.job.arguments)}"


def targets() -> dict[str, bool]:
    """The targets that do something, in order: name, and whether it simulates. ValueError if there is none."""
    core = yaml.safe_load(CORE_FILE.read_text())
    found = {name: target["flow"] == SIMULATION for name, target in core["targets"].items() if "flow" in target}
    if not found:
        raise ValueError(f"{CORE_FILE.name}: no target has a flow")
    return found


def jobs(config: str, only: Sequence[str] = (), sims: Sequence[str] = SIMULATORS) -> list[Job]:
    """The calls: a simulation in every simulator, anything else once. ValueError for a target that is not there."""
    every = targets()
    for name in only:
        if name not in every:
            raise ValueError(f"unknown target '{name}': choose from {', '.join(every)}")
    chosen = {name: simulates for name, simulates in every.items() if not only or name in only}
    return [Job(name, sim, config) for name, simulates in chosen.items() for sim in (sims if simulates else [""])]


def perform(calls: Sequence[Job]) -> Iterator[Done]:
    """Carry them out, one after another."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    fusesoc = shutil.which("fusesoc", path=path)
    if fusesoc is None:
        raise ToolMissing("fusesoc not found: run 'make setup'")
    for job in calls:
        job.log.parent.mkdir(parents=True, exist_ok=True)
        begin = time.monotonic()
        with NamedTemporaryFile(dir=job.log.parent, prefix=f"{job.log.stem}-", suffix=".log") as log:
            code = run_guarded([fusesoc, *job.arguments], cwd=ROOT, env=os.environ, output=log)
            text = Path(log.name).read_text(errors="replace")
        write_whole(job.log, text.encode())
        yield Done(job, code, time.monotonic() - begin, text)
