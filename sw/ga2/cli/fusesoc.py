# SPDX-License-Identifier: Apache-2.0
"""`ga2 fusesoc`: every FuseSoC target once, in both simulators, and a table."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from ga2.cli.errors import FAILURE, UserError
from ga2.fusesoc.every import Done, Job, jobs, perform
from ga2.sim import SIMULATORS
from ga2.spec import load_config


def command(
    target: Annotated[list[str] | None, typer.Option(help="only this target; may be repeated")] = None,
    sim: Annotated[str | None, typer.Option(help="only this simulator: icarus or verilator")] = None,
    config: Annotated[str, typer.Option(help="nano, wide, small or base")] = "nano",
) -> None:
    """Run every FuseSoC target once, in both simulators, with a table at the end."""
    try:
        load_config(config)
        if sim is not None and sim not in SIMULATORS:
            raise ValueError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")
        calls = jobs(config, target or (), SIMULATORS if sim is None else (sim,))
    except ValueError as error:
        raise UserError(str(error)) from None
    finished = _perform(calls)
    Console(width=100, soft_wrap=True).print(_table(finished, config))
    failed = [done for done in finished if done.code != 0]
    for done in failed:
        print(f"\n{done.problem}", file=sys.stderr)
    print(f"fusesoc: {len(finished) - len(failed)} of {len(finished)} runs passed")
    if failed:
        raise typer.Exit(FAILURE)


def _perform(calls: Sequence[Job]) -> list[Done]:
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("runs"), TimeRemainingColumn()
    )  # fmt: skip
    console = Console(stderr=True)
    finished = []
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task(f"fusesoc run --target={calls[0].target}", total=len(calls))
        for done in perform(calls):
            finished.append(done)
            following = calls[min(len(finished), len(calls) - 1)]
            bars.update(task, completed=len(finished), description=f"fusesoc run --target={following.target}")
    return finished


def _table(finished: Sequence[Done], config: str) -> Table:
    table = Table(title=f"fusesoc run, {config}", title_justify="left", box=box.SIMPLE)
    for heading in ("target", *SIMULATORS):
        table.add_column(heading)
    rows: dict[str, dict[str, Done]] = {}
    for done in finished:
        rows.setdefault(done.job.target, {})[done.job.tool] = done
    for target, cells in rows.items():
        if "" in cells:
            table.add_row(target, "", _cell(cells[""]))
        else:
            table.add_row(target, *(_cell(cells[sim]) if sim in cells else "-" for sim in SIMULATORS))
    return table


def _cell(done: Done) -> str:
    result = done.last.rpartition(": ")[2] if done.code == 0 else "[red]FAILED[/red]"
    return f"{result}, {done.seconds:.0f} s"
