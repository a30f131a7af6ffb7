# SPDX-License-Identifier: Apache-2.0
"""`build/slices/summary.json`: what a campaign showed; and the files of graphs that failed."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ga2.isa.image import write_whole
from ga2.jsonfile import read_json
from ga2.sim.build import build_root
from ga2.slices.campaign import Summary
from ga2.slices.cross import Bin
from ga2.slices.facts import CONSUMERS, POSITIONS, SOURCES
from ga2.slices.recipe import Recipe
from ga2.spec import load_config


def folder() -> Path:
    """Where a campaign leaves its files."""
    made = build_root() / "slices"
    made.mkdir(parents=True, exist_ok=True)
    return made


def shares(hits: Counter[Bin]) -> dict[str, dict[str, int]]:
    """Uses that passed, by source and consumer, and by position."""
    pairs = Counter[tuple[str, str]]()
    places = Counter[str]()
    for bin_, count in hits.items():
        pairs[bin_.source, bin_.consumer] += count
        places[bin_.position] += count
    return {
        "uses": {f"{source} -> {consumer}": pairs[source, consumer] for source in SOURCES for consumer in CONSUMERS},
        "positions": {position: places[position] for position in POSITIONS},
    }


def contents(summary: Summary, config: str, where: str, seeds: range, seconds: float) -> dict[str, Any]:
    """What the file says. where: golden, or the simulator."""
    played, holes = summary.played, summary.holes
    return {
        "configuration": config,
        "on": where,
        "seeds": [seeds.start, seeds.stop - 1],
        "graphs": len(played),
        "runs": sum(len(one.recipe.runs) for one in played),
        "mismatches": len(summary.failed),
        "failed_seeds": [one.case.seed for one in summary.failed],
        "bins_hit": holes.hit,
        "bins": holes.total,
        "largest_float_error": round(max((one.float_error for one in played), default=0.0), 3),
        "too_large_for_the_scratchpad": sum(len(one.refused) for one in played),
        **shares(holes.hits),
        "seconds": round(seconds, 1),
    }


def save(made: Mapping[str, Any]) -> Path:
    """Write the file, whole or not at all."""
    path = folder() / "summary.json"
    write_whole(path, f"{json.dumps(made, indent=2)}\n".encode())
    return path


def keep(recipe: Recipe, config: str, where: str) -> Path:
    """Write a recipe to a file of its own, for `ga2 slices --replay`."""
    path = folder() / f"{config}-{where}-{recipe.seed}.json"
    write_whole(path, f"{json.dumps({'configuration': config, 'recipe': recipe.to_json()})}\n".encode())
    return path


def kept(path: Path) -> tuple[str, Recipe]:
    """(configuration, recipe) of such a file; ValueError says what is wrong with it."""
    data = read_json(path)
    try:
        config, recipe = load_config(data["configuration"]), Recipe.from_json(data["recipe"])
        recipe.check(config)
        return config.name, recipe
    except KeyError as error:
        raise ValueError(f"{path}: not a graph that a campaign kept ({error} is missing)") from None
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path}: not a graph that a campaign kept ({error})") from None
