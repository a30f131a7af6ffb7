# SPDX-License-Identifier: Apache-2.0
"""`ga2 breaks`: deliberate breaks of core and checkers, and which checker sees each."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from ga2.cli.errors import FAILURE, UserError
from ga2.cli.progress import count_bar
from ga2.seeded.break_report import check_record, keep, record, write_pages
from ga2.seeded.breaks import Break, all_breaks
from ga2.seeded.play_break import Seen, play_break
from ga2.sim import SIMULATORS, tools

ROW = "{:<50} {:<17} {}"
WIDTH = 160  # characters of a complaint


def command(
    chosen: Annotated[str, typer.Option("--only", help="only breaks with this in their name or file")] = "",
    sim: Annotated[str, typer.Option(help="icarus or verilator")] = "icarus",
    write: Annotated[bool, typer.Option(help="bring the pages up to date")] = False,
) -> None:
    """Break core and checkers on purpose, one mistake at a time: the checker that is named must see each."""
    if sim not in SIMULATORS:
        raise UserError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")
    try:
        every = all_breaks()
        check_record()  # before hours of work that --write adds to it
    except ValueError as error:
        print(f"ga2: {error}", file=sys.stderr)
        raise typer.Exit(FAILURE) from None
    todo = [each for each in every if chosen in each.name or chosen in each.file]
    if not todo:
        raise UserError(f"no break has '{chosen}' in its name or file")
    tools.version(sim)
    seen = []
    with count_bar(f"breaks, {sim}", "breaks", len(todo)) as progress:
        print(ROW.format("break", "must be seen by", "what it says"))
        for each in todo:
            seen.append(play_break(each, sim))
            _show(each, seen[-1])
            keep(each, seen[-1], sim)
            if write and not seen[-1].problem:
                record(each, seen[-1])
            progress(len(seen))
    if write:
        write_pages(every)
    _finish(seen, sim)


def _show(broken: Break, seen: Seen) -> None:
    text = " ".join(seen.checkers.get(broken.caught_by, "").split())
    print(ROW.format(broken.name, broken.caught_by, seen.problem or text[:WIDTH]), flush=True)


def _finish(seen: Sequence[Seen], sim: str) -> None:
    missed = [each for each in seen if each.problem]
    print(f"{len(seen)} breaks, {len(seen) - len(missed)} seen by the checker that must", flush=True)
    for each in missed:
        again = f".venv/bin/ga2 breaks --sim {sim} --only '{each.name}'"
        print(f"ga2: '{each.name}': {each.problem}\n  to reproduce: {again}", file=sys.stderr)
    if missed:
        raise typer.Exit(FAILURE)
