# SPDX-License-Identifier: Apache-2.0
"""`ga2 slices`: compiled graphs around slice_rows, drawn for bins not hit yet, on the golden model and the RTL."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from capra.dump import graph_lines
from ga2.cli.errors import FAILURE, MOST, UserError
from ga2.cli.progress import steps_bar
from ga2.sim import SIMULATORS, tools
from ga2.slices.battery import check
from ga2.slices.build import build
from ga2.slices.campaign import Played, on_golden
from ga2.slices.case import Case, draw_case
from ga2.slices.cross import Holes, reported_holes
from ga2.slices.listing import listing
from ga2.slices.on_rtl import campaign, play
from ga2.slices.recipe import Recipe
from ga2.slices.shrink import shrink
from ga2.slices.subject import Refused, compile_recipe
from ga2.slices.summary import contents, keep, kept, save
from ga2.spec import CONFIG_NAMES, Config, load_config

GOLDEN = "golden"
RUNS = {GOLDEN: 8, "verilator": 8, "icarus": 2}  # of each graph
TRIES = {GOLDEN: 300, "verilator": 40, "icarus": 15}  # of shrinking a graph
SHRUNK = 3  # failures that are made small; the others are only kept
SHOWN = 3  # problems of one graph


def command(
    graphs: Annotated[int, typer.Option("--graphs", "-n", min=1, max=MOST, help="how many")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="the first graph's; the others' follow it")] = 1,
    sim: Annotated[str, typer.Option(help="golden (no simulation), verilator or icarus")] = "verilator",
    config: Annotated[str, typer.Option("--config", help="nano, wide, small or base")] = "nano",
    jobs: Annotated[int, typer.Option(min=1, max=16, help="processes on the golden model")] = 2,
    show: Annotated[int | None, typer.Option(help="print the graph of this seed and run nothing", min=0)] = None,
    replay: Annotated[Path | None, typer.Option(help="play one kept graph again and print it")] = None,
) -> None:
    """Draw graphs with slices, compile them, and compare every run with the graph's interpreter, byte by byte."""
    _check(config, sim)
    if show is not None and replay is not None:
        raise UserError("--show draws a graph and --replay reads one: choose one of them")
    if show is None and sim != GOLDEN:
        tools.version(sim)
    if show is not None:
        print(listing(draw_case(load_config(config), Case(show)).subject), end="")
    elif replay is not None:
        _replay(replay, sim)
    else:
        _campaign(load_config(config), sim, range(seed, seed + graphs), jobs)


def _check(config: str, sim: str) -> None:
    for what, value, choices in (("simulator", sim, (GOLDEN, *SIMULATORS)), ("configuration", config, CONFIG_NAMES)):
        if value not in choices:
            raise UserError(f"unknown {what} '{value}': choose one of {', '.join(choices)}")


def _campaign(config: Config, sim: str, seeds: range, jobs: int) -> None:
    try:
        holes = Holes(config, reported_holes())
    except ValueError as error:
        raise UserError(str(error)) from None
    begun = time.monotonic()
    with steps_bar(f"slices {config.name} {sim}", len(seeds) * (1 if sim == GOLDEN else 2), "graphs") as progress:
        if sim == GOLDEN:
            summary = on_golden(config, seeds, holes, jobs, progress)
        else:
            summary = campaign(config, sim, seeds, RUNS[sim], holes, progress, jobs)
    made = contents(summary, config.name, sim, seeds, time.monotonic() - begun)
    path = save(made)
    _table(made)
    print(f"summary: {path}")
    for number, played in enumerate(summary.failed):
        _tell(config, sim, played, shrunk=number < SHRUNK)
    if summary.failed:
        raise typer.Exit(FAILURE)


def _table(made: dict) -> None:
    table = Table(title=f"slices: {made['configuration']} on {made['on']}", title_justify="left", box=box.SIMPLE,
                  show_header=False)  # fmt: skip
    rows = {
        "seeds": "{} to {}".format(*made["seeds"]),
        "graphs": f"{made['graphs']:,}",
        "runs": f"{made['runs']:,}",
        "graphs that differ": f"{made['mismatches']:,}",
        "bins hit": f"{made['bins_hit']:,} of {made['bins']:,}",
        "largest error against real numbers": f"{made['largest_float_error']:.3f}",
        "drawn and too large": f"{made['too_large_for_the_scratchpad']:,}",
        "seconds": f"{made['seconds']:.0f}",
    }
    for name, value in rows.items():
        table.add_row(name, value)
    Console(width=110, soft_wrap=True).print(table)


def _tell(config: Config, sim: str, played: Played, shrunk: bool) -> None:
    """What is wrong with a graph, the graph made small, and the line that repeats it."""
    recipe = played.recipe
    for problem in played.problems[:SHOWN]:
        print(f"ga2: {played.case}: {problem}", file=sys.stderr)
    if shrunk:
        recipe = shrink(recipe, _fails(config, sim), TRIES[sim])
        print("the smallest graph found that fails:", *graph_lines(build(recipe)), sep="\n", file=sys.stderr)
        print(*(f"  run LEN={run.length} M={run.m}" for run in recipe.runs), sep="\n", file=sys.stderr)
    path = keep(recipe, config.name, sim)
    print(f"  to reproduce: .venv/bin/ga2 slices --replay {path} --sim {sim}", file=sys.stderr)


def _fails(config: Config, sim: str) -> Callable[[Recipe], bool]:
    def fails(recipe: Recipe) -> bool:
        try:
            found = check(compile_recipe(config, recipe)).problems
        except Refused:
            return False
        except Exception:  # what falls over is no sounder than what differs
            return True
        return bool(found) or sim != GOLDEN and bool(play(config.name, sim, [recipe], lambda _: None)[0])

    return fails


def _replay(path: Path, sim: str) -> None:
    try:
        config, recipe = kept(path)
    except ValueError as error:
        raise UserError(str(error)) from None
    try:
        subject = compile_recipe(load_config(config), recipe)
    except ValueError as error:
        raise UserError(f"{path}: {error}") from None
    print(listing(subject), end="")
    problems = check(subject).problems
    if sim != GOLDEN:
        problems += play(config, sim, [recipe], lambda _: None)[0]
    for problem in problems:
        print(f"ga2: {problem}", file=sys.stderr)
    if problems:
        raise typer.Exit(FAILURE)
    print(f"{len(recipe.runs)} runs: as the interpreter says, on {'the golden model' if sim == GOLDEN else sim}")
