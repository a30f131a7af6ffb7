# SPDX-License-Identifier: Apache-2.0
"""`ga2 verifier-cost`: cycles of a verifier pass by block size, beside plain steps."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.cli.decode import BACKENDS
from ga2.cli.errors import FAILURE, UserError
from ga2.cli.files import check_outputs, check_picture, write_text
from ga2.cli.progress import steps_bar
from ga2.cost.document import csv_text
from ga2.cost.measure import measure, problems
from ga2.cost.points import CACHES, curve, passes
from ga2.sim import SIMULATORS, tools
from ga2.spec import CONFIG_NAMES, load_config


def command(
    configs: Annotated[list[str] | None, typer.Option("--config", help="a configuration; repeat; default all")] = None,
    backend: Annotated[str, typer.Option(help="golden predicts; rtl also runs every program and compares")] = "golden",
    sim: Annotated[str, typer.Option(help="icarus or verilator")] = "verilator",
    csv_path: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="write every point")] = None,
    plot_path: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="write the picture (SVG), of all configurations")
    ] = None,
) -> None:
    """Cycles of one target pass over M rows, beside M plain steps and one."""
    names = configs or list(CONFIG_NAMES)
    _check(names, backend, sim)
    check_picture("--plot", plot_path)
    check_outputs({"--csv": csv_path, "--plot": plot_path})
    if backend == "rtl":
        tools.version(sim)
    for name in names:
        Console(width=110, soft_wrap=True).print(_table(name))
    if csv_path:
        write_text(csv_path, csv_text(tuple(names)))
    if plot_path:
        from ga2.cost.plot import svg  # takes a second to import

        write_text(plot_path, svg())
    found = _compared(names, sim) if backend == "rtl" else []
    for line in found:
        print(f"ga2: {line}", file=sys.stderr)
    if found:
        raise typer.Exit(FAILURE)


def _check(names: list[str], backend: str, sim: str) -> None:
    """UserError before anything is built or written."""
    try:
        for name in names:
            load_config(name)
    except ValueError as error:
        raise UserError(str(error)) from None
    if backend not in BACKENDS:
        raise UserError(f"unknown backend '{backend}': choose one of {', '.join(BACKENDS)}")
    if sim not in SIMULATORS:
        raise UserError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")


def _table(name: str) -> Table:
    config = load_config(name)
    title = f"{name}: {config.rows} x {config.cols}; cycles of a pass (over one plain step; M plain steps over it)"
    table = Table("M", box=box.SIMPLE, title=title, title_justify="left")
    for cache in CACHES:
        table.add_column(f"cache {cache}", justify="right", no_wrap=True)
    for points in zip(*(curve(name, cache) for cache in CACHES), strict=True):
        cells = [f"{at.cycles:,} ({at.relative:.2f}; {at.saving:.2f})" for at in points]
        table.add_row(str(points[0].rows), *cells, end_section=points[0].rows == config.rows)
    return table


def _compared(names: list[str], sim: str) -> list[str]:
    """Runs every program on the RTL; what is not as predicted."""
    found = []
    for name in names:
        programs = passes(name)
        with steps_bar(f"{name} in {sim}", len(programs), "programs") as report:
            seen = measure(name, sim, programs, report)
        wrong = problems(name, seen)
        found += [f"{name} in {sim}: {line}" for line in wrong]
        verdict = f"{len(wrong)} DIFFER" if wrong else "every counter as predicted"
        print(f"{name} in {sim}: {len(seen)} programs, {verdict}")
    return found
