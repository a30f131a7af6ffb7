# SPDX-License-Identifier: Apache-2.0
"""`ga2 compile-speed`: how long the compiler and the golden model take."""

import sys
from typing import Annotated

import typer

from ga2.cli.errors import FAILURE, UserError
from ga2.compiling.speed import figures, save

MOST_REPETITIONS = 1000
ROW = "{:<68} {:>9} {:>9} {:>7}  {}"


def command(
    repetitions: Annotated[int, typer.Option(help="the best of so many counts")] = 5,
) -> None:
    """Time the compiler and a pass of the golden model; exit with 1 if one takes longer than it may."""
    if not 1 <= repetitions <= MOST_REPETITIONS:
        raise UserError(f"{repetitions} repetitions: expected 1 to {MOST_REPETITIONS}")
    found = []
    print(ROW.format(f"best of {repetitions}, in seconds", "processor", "clock", "limit", ""))
    for each in figures(repetitions):
        found.append(each)
        verdict = "" if each.met else "TOO LONG"
        seconds = (f"{each.seconds:.3f}", f"{each.wall:.3f}")
        print(ROW.format(each.name, *seconds, each.limit, verdict).rstrip(), flush=True)
    print(f"summary: {save(found)}")
    slow = [each.name for each in found if not each.met]
    for name in slow:
        print(f"ga2: too long: {name}", file=sys.stderr)
    if slow:
        raise typer.Exit(FAILURE)
