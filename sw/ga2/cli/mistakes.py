# SPDX-License-Identifier: Apache-2.0
"""Deliberate mistakes on the command line: play them one after the other, a row each, and say which nobody saw."""

import sys
from collections.abc import Callable, Sequence

import typer

from ga2.cli.errors import FAILURE, UserError
from ga2.cli.progress import steps_bar
from ga2.seeded.mistake import Mistake
from ga2.seeded.play import Seen, play
from ga2.sim import SIMULATORS, tools

ROW = "{:<56} {:<17} {}"
WIDTH = 160  # characters of a complaint


def bad_table(error: ValueError) -> typer.Exit:
    """A table that does not fit the sources ends a command with 1."""
    print(f"ga2: {error}", file=sys.stderr)
    return typer.Exit(FAILURE)


def perform(
    todo: Sequence[Mistake],
    sim: str,
    what: str,
    again: Callable[[Mistake], str],
    ended: Callable[[Seen], None] = lambda _: None,
) -> None:
    """Play all; exit with 1 if one was not seen by whom it must be.

    `again` gives the command that repeats one, without its simulator. `ended` gets what became of each.
    """
    tools.version(sim)
    missed = []
    with steps_bar(f"{what}, {sim}", len(todo), what) as progress:
        print(ROW.format("mistake", "must be seen by", "which says"))
        for count, mistake in enumerate(todo, 1):
            seen = play(mistake, sim)
            text = " ".join(seen.checkers.get(mistake.caught_by, "").split())
            print(ROW.format(mistake.name, mistake.caught_by, seen.problem or text[:WIDTH]), flush=True)
            ended(seen)
            missed += [seen] if seen.problem else []
            progress(count)
    print(f"{len(todo)} {what}, {len(todo) - len(missed)} seen as they must be", flush=True)
    for seen in missed:
        line = f".venv/bin/ga2 {again(seen.mistake)} --sim {sim}"
        print(f"ga2: '{seen.mistake.name}': {seen.problem}\n  to reproduce: {line}", file=sys.stderr)
    if missed:
        raise typer.Exit(FAILURE)


def check_simulator(sim: str) -> None:
    """UserError for one that is none."""
    if sim not in SIMULATORS:
        raise UserError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")
