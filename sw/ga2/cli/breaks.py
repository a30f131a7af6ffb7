# SPDX-License-Identifier: Apache-2.0
"""`ga2 breaks`: deliberate breaks of core and checkers, and which checker sees each."""

from typing import Annotated

import typer

from ga2.cli.errors import UserError
from ga2.cli.mistakes import bad_table, check_simulator, perform
from ga2.seeded.break_report import check_record, keep, record, write_pages
from ga2.seeded.play import Seen
from ga2.seeded.tables import all_breaks


def command(
    chosen: Annotated[str, typer.Option("--only", help="only breaks with this in their name or file")] = "",
    sim: Annotated[str, typer.Option(help="icarus or verilator")] = "icarus",
    write: Annotated[bool, typer.Option(help="bring the pages up to date")] = False,
) -> None:
    """Break core and checkers on purpose, one mistake at a time: the checker that is named must see each."""
    check_simulator(sim)
    try:
        every = all_breaks()
        check_record()  # before hours of work that --write adds to it
    except ValueError as error:
        raise bad_table(error) from None
    todo = [each for each in every if chosen in each.name or chosen in each.file]
    if not todo:
        raise UserError(f"no break has '{chosen}' in its name or file")

    def ended(seen: Seen) -> None:
        keep(seen, sim)
        if write and not seen.problem:
            record(seen)

    try:
        perform(todo, sim, "breaks", lambda broken: f"breaks --only '{broken.name}'", ended)
    finally:
        if write:
            write_pages(every)
