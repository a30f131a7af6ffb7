# SPDX-License-Identifier: Apache-2.0
"""`ga2 faults` and `ga2 stalls`: long campaigns of faults and of stalled memories on the simulated core."""

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.cli.errors import FAILURE, MOST, UserError
from ga2.cli.progress import steps_bar
from ga2.sim import SIMULATORS, tools
from ga2.sim.campaign import Case, play
from ga2.spec import CONFIG_NAMES

Sim = Annotated[str, typer.Option(help="icarus or verilator")]
ConfigName = Annotated[str, typer.Option("--config", help="nano, wide, small or base")]
Seed = Annotated[int, typer.Option(min=0, help="seed of everything random")]
First = Annotated[int, typer.Option(min=0, help="number of the first one")]
Count = Annotated[int, typer.Option(min=1, max=MOST, help="how many")]


def faults(
    cases: Count = 200,
    first: First = 0,
    sim: Sim = "verilator",
    config: ConfigName = "nano",
    seed: Seed = 1,
) -> None:
    """Provoke faults of every kind, each followed by a program that must be right in full."""
    played = _play("verif.core.fault_bench", "faults", cases, first, sim, config, seed)
    table = _table(f"faults: {config} in {sim}, seed {seed}, cases {first} to {first + cases - 1}", "fault", played)
    _finish(table, played, lambda number: _reproduce("faults", "CASES", sim, config, seed, number))


def stalls(
    programs: Count = 50,
    first: First = 0,
    sim: Sim = "verilator",
    config: ConfigName = "nano",
    seed: Seed = 1,
) -> None:
    """Run random programs on a memory that holds its channels back: same bytes, counters within their bounds."""
    played = _play("verif.core.stall_bench", "stalls", programs, first, sim, config, seed)
    title = f"stalls: {config} in {sim}, seed {seed}, programs {first} to {first + programs - 1}"
    table = _table(title, "memory", played, ("cycles", "unstalled", "held"))
    _finish(table, played, lambda number: _reproduce("stalls", "PROGRAMS", sim, config, seed, number))
    text = json.dumps([case.measured for case in played], sort_keys=True)
    print(f"digest of every counter: {hashlib.sha256(text.encode()).hexdigest()[:16]} (the same in every simulator)")


def _play(module: str, title: str, count: int, first: int, sim: str, config: str, seed: int) -> list[Case]:
    for what, value, choices in (("simulator", sim, SIMULATORS), ("configuration", config, CONFIG_NAMES)):
        if value not in choices:
            raise UserError(f"unknown {what} '{value}': choose one of {', '.join(choices)}")
    tools.version(sim)
    with steps_bar(f"{title} {config} {sim}", count, title) as progress:
        return play(module, config, sim, seed, range(first, first + count), progress)


def _table(title: str, what: str, played: Sequence[Case], sums: Sequence[str] = ()) -> Table:
    """Kinds, how many were played and how many passed; `sums` are measured numbers to add up."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE)
    for heading in (what, "number", "passed", *sums):
        table.add_column(heading, justify="left" if heading == what else "right")
    number, passed = Counter(map(_kind, played)), Counter(_kind(case) for case in played if case.passed)
    measured = {kind: [sum(case.measured.get(name, 0) for case in played if _kind(case) == kind) for name in sums]
                for kind in number}
    for kind in sorted(number):
        table.add_row(kind, str(number[kind]), str(passed[kind]), *(f"{value:,}" for value in measured[kind]))
    totals = (f"{sum(values):,}" for values in zip(*measured.values(), strict=True))
    table.add_row("all", str(number.total()), str(passed.total()), *totals)
    return table


def _kind(case: Case) -> str:
    """The part of a case's name before its particulars."""
    return case.name.partition(":")[0]


def _finish(table: Table, played: Sequence[Case], reproduce: Callable[[int], str]) -> None:
    Console(width=110, soft_wrap=True).print(table)
    bad = [case for case in played if not case.passed]
    for case in bad:
        print(f"ga2: {case.name}: {case.problem}\n  to reproduce: {reproduce(case.number)}", file=sys.stderr)
    if bad:
        raise typer.Exit(FAILURE)


def _reproduce(target: str, count: str, sim: str, config: str, seed: int, number: int) -> str:
    return f"make {target} SIM={sim} CONFIG={config} SEED={seed} FIRST={number} {count}=1"
