# SPDX-License-Identifier: Apache-2.0
"""`ga2 mutants`: broken compilers, one change at a time, and the test that sees each."""

import sys
from typing import Annotated

import typer

from ga2.cli.errors import FAILURE, UserError
from ga2.cli.progress import count_bar
from ga2.mutants.play import PASSED, Outcome, play, run
from ga2.mutants.report import save
from ga2.mutants.table import Mutant, mutants

ROW = "{:<62} {:<11} {}"
WIDTH = 150  # characters of what a test says


def command(
    chosen: Annotated[str, typer.Option("--only", help="only those with this in their name or file")] = "",
) -> None:
    """Change copies of the compiler: the test that is named must fail on each; equivalent changes must pass all."""
    try:
        every = mutants()
    except ValueError as error:
        print(f"ga2: {error}", file=sys.stderr)
        raise typer.Exit(FAILURE) from None
    todo = [each for each in every if chosen in each.name or chosen in each.file]
    if not todo:
        raise UserError(f"no broken compiler has '{chosen}' in its name or file")
    judges = sorted({each.judge for each in (every if any(each.equivalent for each in todo) else todo)})
    code, says = run(judges)
    if code != PASSED:
        print(f"ga2: the judges do not pass on the compiler as it is: {says}", file=sys.stderr)
        raise typer.Exit(FAILURE)
    _finish(_played(todo, judges), partial=bool(chosen))


def _played(todo: list[Mutant], judges: list[str]) -> list[Outcome]:
    outcomes = []
    with count_bar("broken compilers", "mutants", len(todo)) as progress:
        print(ROW.format("in a compiler in which", "is", "the test says"))
        for each in todo:
            outcomes.append(play(each, judges))
            what = "killed" if outcomes[-1].killed else "equivalent" if each.equivalent else "ALIVE"
            says = outcomes[-1].problem or (each.equivalent if each.equivalent else outcomes[-1].says)
            print(ROW.format(each.name, what, says[:WIDTH]), flush=True)
            progress(len(outcomes))
    return outcomes


def _finish(outcomes: list[Outcome], partial: bool) -> None:
    """The summary, of a whole run only, and the lines that repeat what went wrong."""
    real = [each for each in outcomes if not each.mutant.equivalent]
    killed = sum(each.killed for each in real)
    print(f"{len(real)} broken compilers, {killed} killed; {len(outcomes) - len(real)} equivalent")
    if not partial:
        print(f"summary: {save(outcomes)}")
    wrong = [each for each in outcomes if each.problem]
    for each in wrong:
        again = f".venv/bin/ga2 mutants --only '{each.mutant.name}'"
        print(f"ga2: '{each.mutant.name}': {each.problem}\n  to reproduce: {again}", file=sys.stderr)
    if wrong:
        raise typer.Exit(FAILURE)
