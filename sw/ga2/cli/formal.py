# SPDX-License-Identifier: Apache-2.0
"""`ga2 formal`: the proofs of verif/formal and their broken copies, each of which must fail."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from typing import Annotated

import typer
from pydantic import ValidationError
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from yaml import YAMLError

from ga2.cli.errors import FAILURE, UserError
from ga2.formal import Outcome, Proof, Record, attack, load, prove, write
from ga2.sim.errors import BuildError

WIDTH = 120  # characters; a narrower terminal wraps whole lines


class What(StrEnum):
    """What is run of each proof."""

    BOTH = "both"
    PROOFS = "proofs"
    BROKEN = "broken"


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int, str], None]]:
    """A bar of proofs and broken copies; yields what reports how many are done and what is under way."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task("", total=total)
        yield lambda done, text: bars.update(task, completed=done, description=text)


def _step(bar: Callable[[int, str], None], done: int, name: str, text: str) -> None:
    bar(done, f"{name}: {text}")


def _run(chosen: dict[str, Proof], what: What) -> list[Record]:
    records = [Record(name, proof) for name, proof in chosen.items()]
    faults = [fault for record in records for fault in record.proof.broken] if what != What.PROOFS else []
    for fault in faults:
        fault.apply()  # before hours of work
    done = 0
    with _bar(len(faults) + (0 if what == What.BROKEN else len(records))) as bar:
        for record in records:
            name, proof = record.name, record.proof
            try:
                if what != What.BROKEN:
                    record.outcome = prove(name, proof, partial(_step, bar, done, name))
                    done += 1
                for number, fault in enumerate(proof.broken if what != What.PROOFS else (), start=1):
                    text = f"{name}, broken copy {number}"
                    record.broken.append((fault, attack(name, number, proof, fault, partial(_step, bar, done, text))))
                    done += 1
            except BuildError as error:
                record.problem = str(error)
            write(records)  # what is known survives an interrupt
    return records


def _reproduce(console: Console, outcome: Outcome, name: str) -> None:
    for part in outcome.failed:
        console.print(f"{outcome.name}: {part.what}, step {part.step}: {', '.join(part.problems)}", markup=False)
        console.print(f"  trace: {part.trace or 'none'}\n  log:   {part.log}", markup=False)
        console.print(f"  to reproduce: make formal PROOF={name}", markup=False)


def _tell(console: Console, records: list[Record], what: What) -> None:
    if what != What.PROOFS:
        table = Table("proof", "broken copy", "seconds", "caught", box=box.SIMPLE)
        for record in records:
            for fault, attacked in record.broken:
                part = attacked.parts[0]
                caught = "[red]NO[/red]" if attacked.passed else f"step {part.step}: {', '.join(part.problems)}"
                table.add_row(record.name, fault.says, f"{attacked.seconds:.0f}", caught)
        console.print(table)
    table = Table("proof", "kind", "properties", "covers", "broken copies", "seconds", "result", box=box.SIMPLE)
    for record in records:
        found = record.outcome
        properties, covers = ("", "") if found is None else (str(found.asserts), f"{found.covers} reached")
        if found is not None and not found.parts[0].passed:
            covers = "[red]not all[/red]"
        broken = f"{record.caught} of {len(record.broken)} caught" if record.broken else "not run"
        held = "not run" if found is None else "proved" if found.passed else f"[red]FAILED[/red] {found.failed[0].what}"
        result = "[red]NO RESULT[/red]" if record.problem else held
        table.add_row(record.name, record.kind, properties, covers, broken, f"{record.seconds:.0f}", result)
    console.print(table)
    for record in records:
        if record.outcome is not None:
            _reproduce(console, record.outcome, record.name)
        if record.problem:
            console.print(f"{record.name}: {record.problem}", markup=False)


def _chosen(names: Sequence[str], slow: bool) -> dict[str, Proof]:
    try:
        proofs = load()
    except (ValidationError, YAMLError) as error:
        raise UserError(f"verif/formal/proofs.yaml: {error}") from None
    unknown = [name for name in names if name not in proofs]
    if unknown:
        raise UserError(f"unknown proof '{unknown[0]}': choose from {', '.join(proofs)}")
    return {name: proof for name, proof in proofs.items() if name in names or (not names and (slow or not proof.slow))}


def command(
    names: Annotated[list[str] | None, typer.Argument(metavar="[PROOF]...", help="default: all but the slow")] = None,
    only: Annotated[What, typer.Option("--only", help="the proofs, or the broken copies, which must fail")] = What.BOTH,
    slow: Annotated[bool, typer.Option("--slow", help="the slow proofs too (a named one is always run)")] = False,
    listing: Annotated[bool, typer.Option("--list", help="say what each proof states, and run nothing")] = False,
) -> None:
    """Prove properties of single modules, then break the RTL on purpose: every broken copy must fail."""
    console = Console(width=WIDTH, soft_wrap=True)
    chosen = _chosen(names or [], slow or listing)
    if listing:
        for name, proof in chosen.items():
            how = f"{proof.method}, {proof.depth}{', slow' if proof.slow else ''}"
            console.print(f"[bold]{name}[/bold] ({how})\n  {proof.states}", highlight=False)
            console.print(f"  assumed: {proof.assumes}", highlight=False, markup=False)
        return
    try:
        records = _run(chosen, only)
    except ValueError as error:
        raise UserError(str(error)) from None
    _tell(console, records, only)
    console.print(f"summary: {write(records)}", markup=False)
    if not all(record.passed for record in records):
        raise typer.Exit(FAILURE)
