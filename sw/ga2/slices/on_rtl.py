# SPDX-License-Identifier: Apache-2.0
"""Recipes on the simulated core, in the pyuvm environment: many in one simulation, without a reset between them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ga2.sim import build_core, run
from ga2.sim.errors import SimulationError
from ga2.sim.scratch import scratch
from ga2.slices.campaign import Summary, on_golden
from ga2.slices.cross import Holes
from ga2.slices.recipe import Recipe, Run
from ga2.spec import Config

BENCH = "verif.slices.slice_bench"
MEMORY_BYTES = 1 << 18  # as in verif/programs
CHUNK = 100  # graphs in one simulation
Problems = tuple[str, ...]


def campaign(
    config: Config, sim: str, seeds: range, runs: int, holes: Holes, progress: Callable[[int], None], jobs: int = 1
) -> Summary:
    """One graph a seed: through the battery on the golden model (`jobs` processes), then, if it passed, the first
    `runs` of its runs on the core.

    `progress` gets the graphs done in both. Bins count only where the core passed. Raises what `play` does.
    """
    golden = on_golden(config, seeds, holes, jobs, progress)
    summary = Summary(Holes(config), golden.failed)
    drawn = sorted((one for one in golden.played if not one.problems), key=lambda one: one.case.seed)
    recipes = [replace(one.recipe, runs=one.recipe.runs[:runs]) for one in drawn]
    found = play(config.name, sim, recipes, lambda done: progress(len(golden.played) + done)) if recipes else []
    for one, recipe, problems in zip(drawn, recipes, found, strict=True):
        facts = tuple(fact for fact in one.facts if Run(fact.length, fact.m) in recipe.runs)
        summary.take(replace(one, recipe=recipe, facts=facts, problems=problems))
    return summary


def play(config: str, sim: str, recipes: Sequence[Recipe], progress: Callable[[int], None]) -> list[Problems]:
    """What is wrong with each recipe's runs.

    Builds the simulation if needed. A simulation that ends early is charged to the graph that was being played, and
    the next one goes on behind it. Raises ToolMissing or BuildError.
    """
    build = build_core(config, sim, memory_bytes=MEMORY_BYTES)
    found: list[Problems] = []
    while len(found) < len(recipes):
        before = len(found)
        chunk = recipes[before : before + CHUNK]
        with scratch("slices") as folder:
            source, report = folder / "recipes", folder / "report"
            source.write_text(json.dumps([recipe.to_json() for recipe in chunk]))
            env = {
                "GA2_CONFIG": config,
                "GA2_FIRST_SEED": "0",
                "GA2_PROGRAMS": str(sum(len(recipe.runs) for recipe in chunk)),
                "GA2_SLICES": str(source),
                "GA2_REPORT": str(report),
            }
            try:
                run(build, BENCH, env=env, watch=lambda _: progress(before + len(_lines(report))))
                died = ""
            except SimulationError as error:
                died = " ".join(str(error).splitlines()[:1])
            judged = [tuple(line["problems"]) for line in _lines(report)]
        if died and not any(judged):
            judged.append((died,))
        found += judged
        progress(len(found))
    return found


def _lines(report: Path) -> list[dict[str, Any]]:
    """The complete lines so far."""
    if not report.is_file():
        return []
    return [json.loads(line) for line in report.read_text().rpartition("\n")[0].splitlines()]
