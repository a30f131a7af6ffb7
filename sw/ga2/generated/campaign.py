# SPDX-License-Identifier: Apache-2.0
"""Plays generated programs in simulations of the environment (`verif/env/random_bench.py`), some at a time."""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ga2.isa.image import write_whole
from ga2.sim.build import Build, build_core, build_hostile, build_root
from ga2.sim.campaign import CHUNK, MEMORY_BYTES, Case, play_on
from ga2.sim.process import threads
from ga2.sim.scratch import scratch

# An interrupt loses what the simulations under way have done: at most about a minute's work.
AT_A_TIME = {"icarus": 20, "verilator": CHUNK}
BENCH = "verif.env.random_bench"


@dataclass(frozen=True)
class Plan:
    """What is played: drawn from seeds by named settings, or files; where coverage is stored, if it is.

    stalls: on the memory that waits, in another manner during each program. watch: also compare write by write, and
    bus traffic, which costs speed.
    """

    config: str
    sim: str
    settings: str
    files: tuple[Path, ...] = ()
    steer: bool = False
    stalls: bool = False
    watch: bool = True
    coverage: Path | None = None

    @property
    def key(self) -> str:
        """Names the plan in the summary."""
        extras = (name for name in ("steer", "stalls") if getattr(self, name))
        return " ".join((self.config, self.sim, self.settings or "files", *extras))


def failures_folder() -> Path:
    """Where the cases that failed are kept."""
    return build_root() / "random" / "failures"


def kept_case(plan: Plan, number: int) -> Path:
    """The file of a case that failed."""
    return failures_folder() / _folder(plan) / f"{number}.json"


def build_of(plan: Plan) -> Build:
    """The testbench with the plan's memory."""
    make = build_hostile if plan.stalls else build_core
    return make(plan.config, plan.sim, memory_bytes=MEMORY_BYTES)


def settings_of(plan: Plan) -> dict[str, str]:
    """What the environment in the simulation is told whatever it plays."""
    return {
        "GA2_CONFIG": plan.config,
        "GA2_MEMORY": "hostile" if plan.stalls else "reference",
        "GA2_WATCH": "all" if plan.watch else "trace",
        "GA2_FIRST_SEED": "0",
    }


def perform(
    plan: Plan, numbers: Sequence[int], jobs: int, progress: Callable[[int], None], ended: Callable[[Case], None]
) -> list[Case]:
    """Play the numbered cases in `jobs` simulations at a time; in the order of their numbers.

    `ended` gets each case as soon as its simulation has ended, `progress` the number done. Raises what `play_on` does.
    """
    build = build_of(plan)
    size = max(1, min(AT_A_TIME[plan.sim], -(-len(numbers) // jobs)))
    shares = [numbers[at : at + size] for at in range(0, len(numbers), size)]
    done = [0] * len(shares)
    lock = threading.Lock()

    def play(index: int) -> list[Case]:
        def report(count: int) -> None:
            with lock:
                done[index] = count
                progress(sum(done))

        with scratch("cases") as folder:
            env = _environment(plan, folder, len(shares[index]))
            cases = play_on(build, BENCH, env, shares[index], report)
            if not plan.files:
                _keep_failures(plan, folder, cases)
        with lock:
            for case in cases:
                ended(case)
        return cases

    with threads(jobs) as pool:
        running = [pool.submit(play, index) for index in range(len(shares))]
        return [case for future in running for case in future.result()]


def _folder(plan: Plan) -> str:
    return plan.key.replace(" ", "-")


def _keep_failures(plan: Plan, folder: Path, cases: Sequence[Case]) -> None:
    """The files of the cases that failed go where they stay."""
    for case in cases:
        made = folder / f"{case.number}.json"
        if not case.passed and made.is_file():
            kept = kept_case(plan, case.number)
            kept.parent.mkdir(parents=True, exist_ok=True)
            write_whole(kept, made.read_bytes())


def _environment(plan: Plan, folder: Path, count: int) -> dict[str, str]:
    env = settings_of(plan) | {
        "GA2_SETTINGS": plan.settings,
        "GA2_CASE_FILES": json.dumps([str(path.resolve()) for path in plan.files]),
        "GA2_KEEP": str(folder),
        "GA2_PROGRAMS": str(2 * count),  # each may need a second one that tidies up; bounds the simulated time
    }
    if plan.coverage:
        env["GA2_COVERAGE"] = str(plan.coverage.resolve())
    return env | ({"GA2_STEER": "1"} if plan.steer else {})
