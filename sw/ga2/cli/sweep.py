# SPDX-License-Identifier: Apache-2.0
"""`ga2 sweep`: when speculation pays. The recorded grid on this core, beside the formula's prediction."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.cli.errors import FAILURE, UserError
from ga2.cli.files import check_outputs, check_picture, write_text
from ga2.cli.progress import tokens_bar
from ga2.sim import SIMULATORS, tools
from ga2.spec import CONFIG_NAMES
from ga2.sweep import serving
from ga2.sweep.grid import GOLDEN, Cell, cells, costs, problems, recorded_grid, requests, run

PLACES = (GOLDEN, *SIMULATORS)


def command(
    sim: Annotated[str, typer.Option(help="golden (no simulation), verilator or icarus")] = GOLDEN,
    config: Annotated[str, typer.Option(help="nano, wide, small or base")] = "nano",
    noises: Annotated[list[float] | None, typer.Option("--noise", help="only these rows; repeat; default all")] = None,
    ks: Annotated[list[int] | None, typer.Option("--k", help="only these columns; repeat; default all")] = None,
    json_path: Annotated[str | None, typer.Option("--json", metavar="FILE|-", help="write the cells as JSON")] = None,
    plot_path: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="write the picture (SVG)")] = None,
) -> None:
    """Decode every cell of the recorded grid of noise and k: counts as recorded, tokens as plain, and the speed-up."""
    for what, value, choices in (("simulator", sim, PLACES), ("configuration", config, CONFIG_NAMES)):
        if value not in choices:
            raise UserError(f"unknown {what} '{value}': choose one of {', '.join(choices)}")
    every = recorded_grid()
    for name, asked in (("noise", noises or []), ("k", ks or [])):
        known = sorted({getattr(row, name) for row in every})
        for wanted in asked:
            if wanted not in known:
                raise UserError(f"no {name} {wanted:g}: the grid has {', '.join(f'{each:g}' for each in known)}")
    rows = [row for row in every if (not noises or row.noise in noises) and (not ks or row.k in ks)]
    check_picture("--plot", plot_path)
    check_outputs({"--json": Path(json_path) if json_path not in (None, "-") else None, "--plot": plot_path})
    if sim != GOLDEN:
        tools.version(sim)
    with tokens_bar(f"{config} {sim}", requests(rows)) as report:
        outcomes = run(config, sim, rows, report)
    found = cells(config, rows, outcomes)
    if json_path == "-":
        print(json.dumps(_contents(config, sim, found)))
    else:
        _print(config, sim, found)
        if json_path is not None:
            write_text(Path(json_path), json.dumps(_contents(config, sim, found), indent=1) + "\n")
    if plot_path is not None:
        from ga2.sweep.plot import grid_svg  # matplotlib takes a second to load

        write_text(plot_path, grid_svg(f"{config}, {sim}: 32 tokens of the structured target", found))
    wrong = problems(rows, outcomes) + [f"serving table: {line}" for line in serving.problems()]
    for line in wrong:
        print(f"ga2: {line}", file=sys.stderr)
    if wrong:
        raise typer.Exit(FAILURE)


def _contents(config: str, sim: str, found: list[Cell]) -> dict:
    known = costs(config)
    return {
        "config": config,
        "on": sim,
        "cycles": {"plain_step": known.plain, "guess": known.draft},
        "cells": [asdict(cell) for cell in found],
        "serving": [asdict(row) | {"computed": row.computed} for row in serving.serving_rows()],
    }


def _print(config: str, sim: str, found: list[Cell]) -> None:
    console = Console(width=110, soft_wrap=True)
    table = Table(box=box.SIMPLE, title=f"{config}, {sim}: 32 tokens, the structured target", title_justify="left")
    for heading in ("noise", "k", "accepted", "acceptance", "blocks", "cycles", "speed-up", "predicted", "earlier"):
        table.add_column(heading, justify="right", no_wrap=True)
    last = {cell.recorded.noise: cell for cell in found}
    for cell in found:
        accepted, proposed, blocks = cell.counts
        row = cell.recorded
        table.add_row(f"{row.noise:g}", str(row.k), f"{accepted} of {proposed}", f"{100 * cell.acceptance:.0f} %",
                      str(blocks), f"{cell.cycles:,}", f"{cell.measured:.2f}", f"{cell.predicted:.2f}",
                      f"{row.speedup:.2f}", end_section=last[row.noise] is cell)  # fmt: skip
    console.print(table)
    serves = Table(box=box.SIMPLE, title="serving: E / (1 + k c)", title_justify="left")
    for heading in ("acceptance", "k", *(f"c = {c:g}" for c in serving.COSTS)):
        serves.add_column(heading, justify="right")
    for line in serving.serving_rows():
        serves.add_row(f"{line.acceptance:g}", str(line.k), *(f"{value:.2f}" for value in line.computed))
    console.print(serves)
