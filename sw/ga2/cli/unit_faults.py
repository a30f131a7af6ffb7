# SPDX-License-Identifier: Apache-2.0
"""`ga2 unit-faults`: every seeded fault of the unit benches, and the test that sees it."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from ga2.cli.errors import FAILURE, UserError
from ga2.cli.progress import count_bar
from ga2.fusesoc.core_file import units
from ga2.seeded import Fault, Outcome, faults_of, play
from ga2.sim import SIMULATORS, tools

ROW = "{:<14} {:<56} {}"
WIDTH = 150  # characters of what a test says


def command(
    chosen: Annotated[list[str] | None, typer.Argument(metavar="[UNIT]...", help="folders of verif/unit")] = None,
    sim: Annotated[str, typer.Option(help="icarus or verilator")] = "icarus",
    fault: Annotated[str, typer.Option(help="only faults with this in their name")] = "",
) -> None:
    """Put known mistakes into copies of the RTL: the bench of the unit must fail on each."""
    todo = _selected(chosen or [], fault)
    if sim not in SIMULATORS:
        raise UserError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")
    tools.version(sim)
    outcomes = []
    with count_bar(f"seeded faults, {sim}", "faults", len(todo)) as progress:
        print(ROW.format("unit", "seeded fault", "seen by"))
        for unit, one in todo:
            outcomes.append(play(unit, one, sim))
            _show(outcomes[-1])
            progress(len(outcomes))
    _finish(outcomes, sim)


def _selected(chosen: Sequence[str], part: str) -> list[tuple[str, Fault]]:
    """The faults of the chosen units (all if none is) whose names hold `part`; a bad table ends the command with 1."""
    every = units()
    for unit in chosen:
        if unit not in every:
            raise UserError(f"unknown unit '{unit}': choose from {', '.join(every)}")
    try:
        todo = [(unit, one) for unit in chosen or every for one in faults_of(unit) if part in one.name]
    except ValueError as error:
        print(f"ga2: {error}", file=sys.stderr)
        raise typer.Exit(FAILURE) from None
    if not todo:
        raise UserError(f"no seeded fault has '{part}' in its name")
    return todo


def _show(outcome: Outcome) -> None:
    """A row of the table, as soon as it is known: a run of all takes its time."""
    seen = f"{outcome.test}: {outcome.complaint}" if not outcome.problem else "NOBODY"
    print(ROW.format(outcome.unit, outcome.fault, seen[:WIDTH]), flush=True)


def _finish(outcomes: Sequence[Outcome], sim: str) -> None:
    missed = [outcome for outcome in outcomes if outcome.problem]
    print(f"{len(outcomes)} faults, {len(outcomes) - len(missed)} seen", flush=True)
    for outcome in missed:
        again = f".venv/bin/ga2 unit-faults {outcome.unit} --sim {sim} --fault '{outcome.fault}'"
        print(f"ga2: {outcome.unit}, '{outcome.fault}': {outcome.problem}\n  to reproduce: {again}", file=sys.stderr)
    if missed:
        raise typer.Exit(FAILURE)
