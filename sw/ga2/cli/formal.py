# SPDX-License-Identifier: Apache-2.0
"""`ga2 formal`: the proofs of verif/formal, or their broken copies, each of which must fail."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Annotated

import typer
from pydantic import ValidationError
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from ga2.cli.errors import FAILURE, UserError
from ga2.formal import Fault, Outcome, Proof, attack, load, prove

WIDTH = 120  # characters; a narrower terminal wraps whole lines


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int, str], None]]:
    """A bar of proofs; yields the function that reports how many are done and what is under way."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task("", total=total)
        yield lambda done, text: bars.update(task, completed=done, description=text)


def _step(bar: Callable[[int, str], None], done: int, name: str, text: str) -> None:
    bar(done, f"{name}: {text}")


def _reproduce(console: Console, outcome: Outcome) -> None:
    for part in outcome.failed:
        console.print(f"{outcome.name}: {part.what}, step {part.step}: {', '.join(part.problems)}", markup=False)
        console.print(f"  trace: {part.trace or 'none'}\n  log:   {part.log}", markup=False)
        console.print(f"  to reproduce: make formal PROOF={outcome.name}", markup=False)


def _prove(console: Console, chosen: dict[str, Proof]) -> bool:
    table = Table("proof", "method", "properties", "covers", "seconds", "result", box=box.SIMPLE)
    outcomes: list[Outcome] = []
    with _bar(len(chosen)) as bar:
        for name, proof in chosen.items():
            outcomes.append(prove(name, proof, partial(_step, bar, len(outcomes), name)))
            found = outcomes[-1]
            method = "for ever" if proof.method == "induction" else f"{proof.depth} cycles"
            result = "proved" if found.passed else f"[red]FAILED[/red] {found.failed[0].what}"
            table.add_row(name, method, str(found.asserts), str(found.covers), f"{found.seconds:.0f}", result)
    console.print(table)
    for found in outcomes:
        _reproduce(console, found)
    return all(found.passed for found in outcomes)


def _attack(console: Console, chosen: dict[str, Proof]) -> bool:
    faults: list[tuple[str, int, Proof, Fault]] = [
        (name, number, proof, fault)
        for name, proof in chosen.items()
        for number, fault in enumerate(proof.broken, start=1)
    ]
    for _, _, _, fault in faults:
        fault.apply()  # before hours of work
    table = Table("proof", "broken copy", "seconds", "result", box=box.SIMPLE)
    missed = 0
    with _bar(len(faults)) as bar:
        for done, (name, number, proof, fault) in enumerate(faults):
            found = attack(name, number, proof, fault, partial(_step, bar, done, name))
            missed += found.passed
            part = found.parts[0]
            result = "[red]NOT CAUGHT[/red]" if found.passed else f"step {part.step}: {', '.join(part.problems)}"
            table.add_row(name, fault.says, f"{found.seconds:.0f}", result)
    console.print(table)
    if missed:
        console.print(f"{missed} of {len(faults)} broken copies passed; to reproduce: ga2 formal --broken")
    return not missed


def _chosen(names: Sequence[str]) -> dict[str, Proof]:
    try:
        proofs = load()
    except ValidationError as error:
        raise UserError(f"verif/formal/proofs.yaml: {error}") from None
    unknown = [name for name in names if name not in proofs]
    if unknown:
        raise UserError(f"unknown proof '{unknown[0]}': choose from {', '.join(proofs)}")
    return {name: proof for name, proof in proofs.items() if not names or name in names}


def command(
    names: Annotated[list[str] | None, typer.Argument(metavar="[PROOF]...", help="default: all")] = None,
    broken: Annotated[bool, typer.Option("--broken", help="break the RTL on purpose: every copy must fail")] = False,
    listing: Annotated[bool, typer.Option("--list", help="say what each proof states, and run nothing")] = False,
) -> None:
    """Prove properties of single modules, for ever or for a number of cycles."""
    console = Console(width=WIDTH, soft_wrap=True)
    chosen = _chosen(names or [])
    if listing:
        for name, proof in chosen.items():
            console.print(f"[bold]{name}[/bold] ({proof.method}, {proof.depth})\n  {proof.states}", highlight=False)
            console.print(f"  assumed: {proof.assumes}", highlight=False, markup=False)
        return
    try:
        good = (_attack if broken else _prove)(console, chosen)
    except ValueError as error:
        raise UserError(str(error)) from None
    if not good:
        raise typer.Exit(FAILURE)
