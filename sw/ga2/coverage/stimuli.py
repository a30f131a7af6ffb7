# SPDX-License-Identifier: Apache-2.0
"""What `ga2 coverage` runs: portions of every kind of stimulus there is, each with sampling and line counts on."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ga2.coverage.stimulus_error import StimulusFailed
from ga2.generated.campaign import Plan, perform
from ga2.sim import build_hostile, run
from ga2.sim.build import CODE_COVERAGE
from ga2.sim.campaign import MEMORY_BYTES, Case, play
from ga2.slices.cross import Holes, reported_holes
from ga2.slices.on_rtl import campaign
from ga2.spec import CONFIG_NAMES, load_config

FUNCTIONAL = "GA2_COVERAGE"
"""The folder of stored runs, for the benches."""
FAULT_CASES = 4  # for each program of `size`: every second one is a precise fault, of which there are some ninety
DIRECTED = 21
SETTINGS = ("default", "edges", "collisions", "softmax")
GRAPHS = 4  # for each program of `size`: a graph of nine runs reaches some ten of more than a thousand bins
GRAPH_RUNS = 9  # of each graph: one a class of M and of LEN
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Stimulus:
    """One portion: its title, how many programs, cases or graphs it counts, and how it is played."""

    title: str
    count: int
    play: Callable[[Progress], None]


def collect_into(folder: Path) -> None:
    """Let every simulation started from now on store what it covers below a folder."""
    os.environ[FUNCTIONAL] = str(folder / "runs")
    os.environ[CODE_COVERAGE] = str(folder / "code")


def stimuli(configs: Sequence[str], sim: str, size: int, seed: int) -> Iterator[Stimulus]:
    """Every portion for every configuration, about `size` programs each.

    Numbered cases go on from one configuration to the next, so that together they reach more kinds; graphs of all
    configurations look for what none of them has hit.
    """
    wanted = reported_holes()
    for config in configs:
        place = CONFIG_NAMES.index(config)
        faults, stalls = (range(place * count, (place + 1) * count) for count in (FAULT_CASES * size, size))
        yield _campaign("directed", "verif.coverage.directed_bench", config, sim, seed, range(DIRECTED))
        yield _campaign("faults", "verif.core.fault_bench", config, sim, seed, faults)
        yield _campaign("stalls", "verif.core.stall_bench", config, sim, seed, stalls)
        yield _endings(config, sim, seed, max(1, size // 10))
        for settings in SETTINGS:
            yield _random(config, sim, settings, seed, max(1, size // len(SETTINGS)))
        yield _slices(config, sim, seed + place * GRAPHS * size, GRAPHS * size, wanted)


def _campaign(title: str, module: str, config: str, sim: str, seed: int, cases: range) -> Stimulus:
    def played(progress: Progress) -> None:
        _all_passed(title, config, play(module, config, sim, seed, cases, progress))

    return Stimulus(f"{title}, {config}", len(cases), played)


def _all_passed(title: str, config: str, cases: Sequence[Case]) -> None:
    bad = [case for case in cases if not case.passed]
    if bad:
        raise StimulusFailed(f"{title}, {config}: case {bad[0].number} ({bad[0].name}): {bad[0].problem}")


def _endings(config: str, sim: str, seed: int, count: int) -> Stimulus:
    """The environment's own tests: legal and faulty programs, aborts, watchdogs, resets."""

    def played(progress: Progress) -> None:
        build = build_hostile(config, sim, memory_bytes=MEMORY_BYTES)
        env = {"GA2_CONFIG": config, "GA2_FIRST_SEED": str(seed), "GA2_PROGRAMS": str(count), "GA2_MEMORY": "hostile"}
        run(build, "verif.env.env_bench", env=env)
        progress(count)

    return Stimulus(f"endings, {config}", count, played)


def _random(config: str, sim: str, settings: str, seed: int, count: int) -> Stimulus:
    """Generated programs, on the memory that never waits; from the second report on, towards the last one's holes."""

    def played(progress: Progress) -> None:
        plan = Plan(config, sim, settings, steer=True, watch=False)
        _all_passed(f"random {settings}", config, perform(plan, range(seed, seed + count), 1, progress, lambda _: None))

    return Stimulus(f"random {settings}, {config}", count, played)


def _slices(config: str, sim: str, seed: int, count: int, wanted: set[str]) -> Stimulus:
    """Compiled graphs, each on the golden model and then on the core, towards the bins wanted first."""

    def played(progress: Progress) -> None:
        chosen = load_config(config)
        seeds, holes = range(seed, seed + count), Holes(chosen, wanted)
        summary = campaign(chosen, sim, seeds, GRAPH_RUNS, holes, lambda done: progress(done // 2))
        if summary.failed:
            worst = summary.failed[0]
            raise StimulusFailed(f"slices, {config}: {worst.case}: {worst.problems[0]}")

    return Stimulus(f"slices, {config}", count, played)
