# SPDX-License-Identifier: Apache-2.0
"""`ga2 mutants`: broken compilers and speculative paths, one change at a time, and the test that sees each."""

import sys
from typing import Annotated

import typer

from ga2.cli.errors import FAILURE, UserError
from ga2.cli.progress import steps_bar
from ga2.mutants.play import PASSED, Outcome, play, run
from ga2.mutants.report import save
from ga2.mutants.table import PARTS, Mutant, Part, mutants

ROW = "{:<62} {:<11} {}"
WIDTH = 150  # characters of what a test says


def command(
    over: Annotated[list[str] | None, typer.Option(help="compiler or speculation; repeat; default both")] = None,
    chosen: Annotated[str, typer.Option("--only", help="only those with this in their name or file")] = "",
) -> None:
    """Change copies of the sources: the test that is named must fail on each; equivalent changes must pass all."""
    for name in over or ():
        if name not in PARTS:
            raise UserError(f"no broken versions of '{name}': choose one of {', '.join(PARTS)}")
    try:
        tables = {part: mutants(part.table) for name, part in PARTS.items() if not over or name in over}
    except ValueError as error:
        print(f"ga2: {error}", file=sys.stderr)
        raise typer.Exit(FAILURE) from None
    wanted = {
        part: [each for each in every if chosen in each.name or chosen in each.file] for part, every in tables.items()
    }
    if not any(wanted.values()):
        raise UserError(f"no broken version has '{chosen}' in its name or file")
    wrong = [
        line
        for part, todo in wanted.items()
        if todo
        for line in _finish(part, _played(part, todo, _judges(tables[part], todo)), partial=bool(chosen))
    ]
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        raise typer.Exit(FAILURE)


def _judges(every: list[Mutant], todo: list[Mutant]) -> list[str]:
    """The tests that judge, which must pass on the sources as they are: an equivalent change is judged by all."""
    judges = sorted({each.judge for each in (every if any(each.equivalent for each in todo) else todo)})
    code, says = run(judges)
    if code != PASSED:
        print(f"ga2: the judges do not pass on the sources as they are: {says}", file=sys.stderr)
        raise typer.Exit(FAILURE)
    return judges


def _played(part: Part, todo: list[Mutant], judges: list[str]) -> list[Outcome]:
    outcomes = []
    with steps_bar(f"broken versions of the {part.called}", len(todo), "mutants") as progress:
        print(ROW.format(f"in a {part.called} in which", "is", "the test says"))
        for each in todo:
            outcomes.append(play(each, judges))
            what = "killed" if outcomes[-1].killed else "equivalent" if each.equivalent else "ALIVE"
            says = outcomes[-1].problem or (each.equivalent if each.equivalent else outcomes[-1].says)
            print(ROW.format(each.name, what, says[:WIDTH]), flush=True)
            progress(len(outcomes))
    return outcomes


def _finish(part: Part, outcomes: list[Outcome], partial: bool) -> list[str]:
    """Tells and, of a whole run only, saves what happened; a line on each that went wrong, which repeats it."""
    real = [each for each in outcomes if not each.mutant.equivalent]
    killed = sum(each.killed for each in real)
    print(f"{len(real)} broken versions of the {part.called}, {killed} killed; "
          f"{len(outcomes) - len(real)} equivalent")  # fmt: skip
    if not partial:
        print(f"summary: {save(part, outcomes)}")
    again = f".venv/bin/ga2 mutants --over {part.name} --only"
    return [f"ga2: '{each.mutant.name}': {each.problem}\n  to reproduce: {again} '{each.mutant.name}'"
            for each in outcomes if each.problem]  # fmt: skip
