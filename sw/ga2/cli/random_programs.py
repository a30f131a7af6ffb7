# SPDX-License-Identifier: Apache-2.0
"""`ga2 random` and `ga2 replay`: generated programs on the simulated core, through the verification environment."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.cli.errors import FAILURE, MOST, UserError
from ga2.cli.progress import steps_bar
from ga2.coverage.holes import holes_path, load_holes
from ga2.generated.campaign import Plan, kept_case, perform
from ga2.generated.drawing import Wrong, config_of, listing
from ga2.generated.shrinking import shrink
from ga2.generated.summary import entry, merge
from ga2.sim import SIMULATORS, tools
from ga2.sim.build import build_root
from ga2.sim.campaign import Case
from ga2.spec import CONFIG_NAMES

SHRUNK = 3  # failures of a campaign that are made short
LONGEST = 86_400  # seconds for one of them
DIGITS = 100  # of a seed

Sim = Annotated[str, typer.Option(help="icarus or verilator")]
ConfigName = Annotated[str, typer.Option("--config", help="nano, wide, small or base")]
Stalls = Annotated[bool, typer.Option(help="on a memory that pauses, in another manner during each program")]
Settings = Annotated[str, typer.Option(help="what is drawn how often: a file of verif/programs/settings")]


def random(
    programs: Annotated[int, typer.Option(min=1, max=MOST, help="how many")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="the first program's; the others' follow it")] = 1,
    sim: Sim = "verilator",
    config: ConfigName = "nano",
    settings: Settings = "default",
    jobs: Annotated[int, typer.Option(min=1, max=16, help="simulations at a time")] = 2,
    stalls: Stalls = False,
    watch: Annotated[bool, typer.Option(help="also every write and burst; without it faster")] = True,
    steer: Annotated[bool, typer.Option(help="towards the holes of the last coverage report")] = False,
    coverage: Annotated[bool, typer.Option(help="store functional coverage for `ga2 coverage`")] = False,
    shrink_seconds: Annotated[
        float, typer.Option("--shrink", min=0, max=LONGEST, help="seconds to make a failure short")
    ] = 60.0,
    show: Annotated[bool, typer.Option(help="print the first program's listing and run nothing")] = False,
) -> None:
    """Draw programs and compare each run with the golden and the timing model: trace, bytes, counters, fault."""
    _check(sim, config)
    text = _listing(str(seed), config, settings)  # also says what is wrong with the settings, before anything is built
    if show:
        print(text, end="")
        return
    if steer:
        _check_holes()
    tools.version(sim)
    folder = build_root() / "coverage" / "runs" if coverage else None
    plan = Plan(config, sim, settings, steer=steer, stalls=stalls, watch=watch, coverage=folder)
    seeds, ended = range(seed, seed + programs), list[Case]()
    begun = time.monotonic()
    try:
        with steps_bar(f"random {plan.key}", programs, "programs") as progress:
            cases = perform(plan, seeds, jobs, progress, lambda case: _tell(plan, case, ended))
    except KeyboardInterrupt:
        left = sorted(set(seeds) - {case.number for case in ended})
        print(f"ga2: {len(ended)} of {programs} programs had ended; left are {_ranges(left)}", file=sys.stderr)
        raise
    made = entry(seeds, cases, time.monotonic() - begun)
    path = merge(plan.key, made)
    _show(plan, made)
    print(f"summary: {path}")
    for case in [case for case in cases if not case.passed][:SHRUNK]:
        _shorten(plan, case, shrink_seconds)
    if made["mismatches"]:
        raise typer.Exit(FAILURE)


def replay(
    case: Annotated[str, typer.Argument(metavar="SEED|FILE", help="a seed, or a case that a campaign stored")],
    sim: Sim = "verilator",
    config: ConfigName = "nano",
    settings: Settings = "default",
    stalls: Stalls = False,
) -> None:
    """Run one generated program again and print its listing; what differs comes last."""
    _check(sim, config)
    print(_listing(case, config, settings), end="")
    tools.version(sim)
    if case.isdecimal():
        plan, number = Plan(config, sim, settings, stalls=stalls), int(case)
    else:
        plan, number = Plan(config_of(case), sim, "", (Path(case),), stalls=stalls), 0
    (played,) = perform(plan, [number], 1, lambda _: None, lambda _: None)
    if not played.passed:
        print("\n".join(filter(None, (f"ga2: {played.name}: {played.problem}", played.place))), file=sys.stderr)
        raise typer.Exit(FAILURE)
    print(f"{played.name}: passed in {sim}, {played.measured['cycles']} cycles on the reference memory")


def _check(sim: str, config: str) -> None:
    for what, value, choices in (("simulator", sim, SIMULATORS), ("configuration", config, CONFIG_NAMES)):
        if value not in choices:
            raise UserError(f"unknown {what} '{value}': choose one of {', '.join(choices)}")


def _check_holes() -> None:
    if not holes_path().is_file():
        raise UserError(f"no holes to steer to: {holes_path()} is not there; `ga2 coverage` writes it")
    try:
        load_holes()
    except ValueError as error:
        raise UserError(str(error)) from None


def _listing(case: str, config: str, settings: str) -> str:
    if case.isdecimal() and len(case) > DIGITS:
        raise UserError(f"a seed has at most {DIGITS} digits, not {len(case)}")
    if not case.isdecimal() and not Path(case).exists():
        raise UserError(f"{case}: neither a seed, which is a whole number, nor a file")
    try:
        return listing(case, config, settings)
    except Wrong as error:
        raise UserError(str(error)) from None


def _tell(plan: Plan, case: Case, ended: list[Case]) -> None:
    """Each failure at once, with the line that repeats it."""
    ended.append(case)
    if not case.passed:
        kept = kept_case(plan, case.number)
        again = f"make replay SEED={kept if plan.steer else case.number} SIM={plan.sim}"
        again += "" if plan.steer else f" CONFIG={plan.config} SETTINGS={plan.settings}"
        again += " STALLS=1" if plan.stalls else ""
        texts = (f"ga2: {case.name}: {case.problem}", case.place, f"  stored: {kept}", f"  to reproduce: {again}")
        print("\n".join(filter(None, texts)), file=sys.stderr)


def _shorten(plan: Plan, case: Case, seconds: float) -> None:
    """Print the short listing of a failure, if it has one."""
    kept = kept_case(plan, case.number)
    if not kept.is_file() or seconds <= 0:
        return
    with steps_bar(f"shrinking {case.name}", int(seconds), "s") as progress:
        short = shrink(plan, kept, seconds, progress)
    if short is None:
        print(f"ga2: {case.name}: passes when it runs alone: what ran before it matters", file=sys.stderr)
        return
    print(f"\n{short.path}: {short.problem}\n{listing(str(short.path), plan.config, '')}", end="")


def _ranges(numbers: list[int]) -> str:
    """`SEED=3 N=5, SEED=20 N=1`."""
    known = set(numbers)
    first = [number for number in numbers if number - 1 not in known]
    last = [number for number in numbers if number + 1 not in known]
    return ", ".join(f"SEED={low} N={high - low + 1}" for low, high in zip(first, last, strict=True)) or "none"


def _show(plan: Plan, made: dict) -> None:
    table = Table(title=f"random: {plan.key}", title_justify="left", box=box.SIMPLE, show_header=False)
    rows = {
        "seeds": "{} to {}".format(*made["seeds"]),
        "programs": f"{made['programs']:,}",
        "mismatches": f"{made['mismatches']:,}",
        "median instructions": made.get("median_instructions", "-"),
        "median cycles": made.get("median_cycles", "-"),
        "two units at once": f"{made.get('overlap_share', 0):.1%} of programs",
        "opcodes in programs": ", ".join(f"{op} {share:.0%}" for op, share in made.get("opcode_share", {}).items()),
        "endings": ", ".join(f"{kind} {count}" for kind, count in made.get("endings", {}).items()),
        "programs a second": made["programs_per_second"],
    }
    for name, value in rows.items():
        table.add_row(name, str(value))
    Console(width=110, soft_wrap=True).print(table)
