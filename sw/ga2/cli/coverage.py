# SPDX-License-Identifier: Apache-2.0
"""`ga2 coverage`: run stimuli with coverage on, then put everything stored into one report."""

from concurrent.futures import as_completed
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.cli.errors import FAILURE, MOST, UserError
from ga2.cli.progress import steps_bar
from ga2.coverage.code import CodeCoverageError
from ga2.coverage.figures import ExclusionError, percent
from ga2.coverage.page import page
from ga2.coverage.report import Report, coverage_folder, make_report, write_report
from ga2.coverage.stimuli import collect_into, stimuli
from ga2.coverage.stored import StoredRunError
from ga2.coverage.waivers import WaiverError
from ga2.sim import SIMULATORS, tools
from ga2.sim.process import stop_if_ending, threads
from ga2.spec import CONFIG_NAMES

FIRST_HOLES = 20  # named on the terminal; all are in holes.json


def command(
    size: Annotated[
        int, typer.Option("--size", min=1, max=MOST, help="programs of each kind and configuration, about")
    ] = 40,
    config: Annotated[list[str] | None, typer.Option(help="nano, wide, small or base; default all")] = None,
    sim: Annotated[str, typer.Option(help="icarus or verilator; only verilator counts lines")] = "verilator",
    seed: Annotated[int, typer.Option(min=0, help="seed of everything random")] = 1,
    jobs: Annotated[int, typer.Option(min=1, max=16, help="simulations at a time")] = 2,
    report: Annotated[bool, typer.Option("--report", help="run nothing: report what is stored")] = False,
) -> None:
    """Measure what the stimuli cover: bins of `spec/coverage.yaml`, lines and toggles; build/coverage/index.html."""
    configs = config or list(CONFIG_NAMES)
    for name in configs:
        if name not in CONFIG_NAMES:
            raise UserError(f"unknown configuration '{name}': choose one of {', '.join(CONFIG_NAMES)}")
    if sim not in SIMULATORS:
        raise UserError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")
    if not report:
        tools.version(sim)
        _run(configs, sim, size, seed, jobs)
    _report()


def _run(configs: list[str], sim: str, size: int, seed: int, jobs: int) -> None:
    """The portions, some at a time: the first that fails ends the others."""
    collect_into(coverage_folder())
    portions = list(stimuli(configs, sim, size, seed))
    played = [0] * len(portions)
    with steps_bar("coverage", sum(portion.count for portion in portions), "programs") as progress:

        def play(index: int) -> None:
            def report(done: int) -> None:
                stop_if_ending()
                played[index] = done
                progress(sum(played))

            portions[index].play(report)
            report(portions[index].count)

        with threads(jobs) as pool:
            for done in as_completed([pool.submit(play, index) for index in range(len(portions))]):
                done.result()


def _report() -> None:
    folder = coverage_folder()
    try:
        made = make_report(folder)
    except (StoredRunError, ExclusionError, WaiverError, CodeCoverageError) as error:
        raise UserError(str(error)) from None
    write_report(made, folder, page(made))
    _print(made)
    if made.problems:
        raise typer.Exit(FAILURE)


def _print(made: Report) -> None:
    """Groups in a table, the first holes by name, and where the rest is."""
    measured, code = made.functional, made.code
    table = Table(title=f"coverage of {made.runs.runs} simulations", title_justify="left", box=box.SIMPLE)
    for heading in ("group", "hit", "bins", "%"):
        table.add_column(heading, justify="left" if heading == "group" else "right")
    for group, points in measured.groups.items():
        hit, bins = sum(point.hit for point in points), sum(len(point.wanted) for point in points)
        table.add_row(group, str(hit), str(bins), f"{percent(hit, bins)}")
    table.add_row("functional", str(measured.hit), str(measured.bins), f"{measured.percent}", style="bold")
    if code:
        lines = len(code.counted)
        table.add_row("line", str(lines - len(code.missed)), str(lines), f"{code.line_percent}", style="bold")
        for kind in ("branch", "toggle"):
            table.add_row(kind, "", "", f"{code.points_percent(kind)}")
    Console(width=110, soft_wrap=True).print(table)
    holes = measured.holes
    if holes:
        more = f", and {len(holes) - FIRST_HOLES} more" if len(holes) > FIRST_HOLES else ""
        print(f"never hit: {', '.join(holes[:FIRST_HOLES])}{more}")
    if made.runs.outdated:
        print(f"{len(made.runs.outdated)} stored runs have other bins and were left out, {made.runs.outdated[0]} first")
    for problem in made.problems:
        print(problem)
    print(f"report: {coverage_folder() / 'index.html'}")
