# SPDX-License-Identifier: Apache-2.0
"""What `ga2 coverage` runs: portions of every kind of stimulus there is, each with sampling and line counts on."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ga2.coverage.stimulus_error import StimulusFailed
from ga2.sim import build_core, run
from ga2.sim.build import CODE_COVERAGE
from ga2.sim.campaign import MEMORY_BYTES, Case, play

FUNCTIONAL = "GA2_COVERAGE"
"""The folder of stored runs, for the benches."""
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Stimulus:
    """One portion: its title, how many programs or cases it counts, and how it is played."""

    title: str
    count: int
    play: Callable[[Progress], None]


def collect_into(folder: Path) -> None:
    """Let every simulation started from now on store what it covers below a folder."""
    os.environ[FUNCTIONAL] = str(folder / "runs")
    os.environ[CODE_COVERAGE] = str(folder / "code")


def stimuli(configs: list[str], sim: str, size: int, seed: int) -> Iterator[Stimulus]:
    """Every portion for every configuration, about `size` programs each."""
    for config in configs:
        yield _campaign("faults", "verif.core.fault_bench", config, sim, seed, 3 * size)
        yield _campaign("stalls", "verif.core.stall_bench", config, sim, seed, size)
        yield _endings(config, sim, seed, max(1, size // 10))


def _campaign(title: str, module: str, config: str, sim: str, seed: int, count: int) -> Stimulus:
    def played(progress: Progress) -> None:
        _all_passed(title, config, play(module, config, sim, seed, range(count), progress))

    return Stimulus(f"{title}, {config}", count, played)


def _all_passed(title: str, config: str, cases: list[Case]) -> None:
    bad = [case for case in cases if not case.passed]
    if bad:
        raise StimulusFailed(f"{title}, {config}: case {bad[0].number} ({bad[0].name}): {bad[0].problem}")


def _endings(config: str, sim: str, seed: int, count: int) -> Stimulus:
    """The environment's own tests: legal and faulty programs, aborts, watchdogs, resets."""

    def played(progress: Progress) -> None:
        env = {"GA2_CONFIG": config, "GA2_FIRST_SEED": str(seed), "GA2_PROGRAMS": str(count)}
        run(build_core(config, sim, memory_bytes=MEMORY_BYTES), "verif.env.env_bench", env=env)
        progress(count)

    return Stimulus(f"endings, {config}", count, played)
