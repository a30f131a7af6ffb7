# SPDX-License-Identifier: Apache-2.0
"""`ga2 mutate`: every small change of compiler or host loop, or a sample of them, and whether a test sees it."""

import sys
from typing import Annotated, Any

import typer

from ga2.cli.errors import FAILURE, MOST, UserError
from ga2.cli.progress import steps_bar
from ga2.mutation.campaign import chosen, learn_reach, missing_reach, play, save, summary
from ga2.mutation.equivalent import equivalents
from ga2.mutation.mutant import Mutant, all_mutants
from ga2.mutation.stored import Stored
from ga2.mutation.subject import SUBJECTS, Subject

MOST_JOBS = 64


def command(
    over: Annotated[str, typer.Option(help="compiler or speculation (the host loop)")] = "compiler",
    sample: Annotated[int | None, typer.Option(help="so many, drawn by the seed; default all")] = None,
    seed: Annotated[int, typer.Option(help="of the sample")] = 1,
    only: Annotated[str, typer.Option(help="only those with this in their id: a file, a function, an operator")] = "",
    jobs: Annotated[int, typer.Option(help="mutants at a time")] = 2,
    fresh: Annotated[bool, typer.Option("--fresh", help="forget earlier verdicts")] = False,
    listing: Annotated[bool, typer.Option("--list", help="print the mutants, and judge none")] = False,
    at_least: Annotated[float, typer.Option(help="the score below which the command fails")] = 0.9,
) -> None:
    """Change compiler or host loop in one place at a time; listings and tests must see it.

    Verdicts are kept as long as neither the sources nor the judge changes, so an interrupted run goes on.
    """
    if sample is not None and not 1 <= sample <= MOST:
        raise UserError(f"a sample of {sample}: expected 1 to {MOST}")
    if not 1 <= jobs <= MOST_JOBS:
        raise UserError(f"{jobs} jobs: expected 1 to {MOST_JOBS}")
    if not 0 <= at_least <= 1:
        raise UserError(f"a score of at least {at_least:g}: expected 0 to 1")
    if over not in SUBJECTS:
        raise UserError(f"no mutants of '{over}': choose one of {', '.join(SUBJECTS)}")
    subject = SUBJECTS[over]
    mutants = all_mutants(subject)
    wanted = chosen(mutants, only, sample, seed)
    if not wanted:
        raise UserError(f"no mutant has '{only}' in its id")
    if listing:
        for each in wanted:
            print(f"{each.id}  line {each.line}: {each.before} -> {each.after}")
        return
    try:
        reasons = equivalents(mutants, subject.equivalents)
        stored = Stored(subject, fresh)
        _run(sorted(wanted, key=lambda each: each.id in reasons), stored, jobs)  # the equivalent meet every test: last
    except ValueError as error:
        print(f"ga2: {error}", file=sys.stderr)
        raise typer.Exit(FAILURE) from None
    finally:
        if "stored" in locals():
            _tell(subject, summary(wanted, stored, reasons))
    _judge(summary(wanted, stored, reasons), at_least)


def _run(wanted: list[Mutant], stored: Stored, jobs: int) -> None:
    unknown = missing_reach(stored)
    if unknown:
        with steps_bar("what the tests reach", len(unknown), "files") as progress:
            learn_reach(stored, jobs, progress)
    todo = [each for each in wanted if each.id not in stored.verdicts]
    with steps_bar(f"mutants of the {stored.subject.called}", len(todo), "mutants") as progress:
        play(todo, stored, jobs, _told, progress)


def _told(mutant: Mutant, answer: dict[str, Any]) -> None:
    print(f"{answer['status']:<9} {mutant.id}  {answer['by']}", flush=True)


def _tell(subject: Subject, found: dict[str, Any]) -> None:
    for each in found["survivors"]:
        print(f"{each['at']}: {each['before']} -> {each['after']}\n  {each['id']}")
    score = "no score" if found["score"] is None else f"score {found['score']:.1%}"
    print(f"{found['total']} of {found['mutants']} mutants judged, {found['killed']} killed "
          f"({found['by_timeout']} by their time), {len(found['survivors'])} survive, "
          f"{len(found['equivalents'])} equivalent: {score}")  # fmt: skip
    print(f"summary: {save(subject, found)}", flush=True)


def _judge(found: dict[str, Any], at_least: float) -> None:
    wrong = [each["id"] for each in found["equivalents"] if not each["survives"]]
    for name in wrong:
        print(f"ga2: {name} is called equivalent, and a test sees it", file=sys.stderr)
    if found["score"] is not None and found["score"] < at_least:
        print(f"ga2: the score is below {at_least:.0%}", file=sys.stderr)
        wrong.append("")
    if wrong:
        raise typer.Exit(FAILURE)
