# SPDX-License-Identifier: Apache-2.0
"""`ga2 unit-faults`: every seeded fault of the unit benches, and the test that sees it."""

from collections.abc import Sequence
from typing import Annotated

import typer

from ga2.cli.errors import UserError
from ga2.cli.mistakes import bad_table, check_simulator, perform
from ga2.fusesoc.core_file import units
from ga2.seeded.mistake import Mistake
from ga2.seeded.tables import faults_of


def command(
    chosen: Annotated[list[str] | None, typer.Argument(metavar="[UNIT]...", help="folders of verif/unit")] = None,
    sim: Annotated[str, typer.Option(help="icarus or verilator")] = "icarus",
    fault: Annotated[str, typer.Option(help="only faults with this in their name")] = "",
) -> None:
    """Put known mistakes into copies of the RTL: the bench of the unit must fail on each."""
    todo = _selected(chosen or [], fault)
    check_simulator(sim)
    perform(todo, sim, "faults", lambda one: f"unit-faults {one.caught_by} --fault '{one.name}'")


def _selected(chosen: Sequence[str], part: str) -> list[Mistake]:
    """The faults of the chosen units (all if none is) whose names hold `part`; a bad table ends the command with 1."""
    every = units()
    for unit in chosen:
        if unit not in every:
            raise UserError(f"unknown unit '{unit}': choose from {', '.join(every)}")
    try:
        todo = [one for unit in chosen or every for one in faults_of(unit) if part in one.name]
    except ValueError as error:
        raise bad_table(error) from None
    if not todo:
        raise UserError(f"no seeded fault has '{part}' in its name")
    return todo
