# SPDX-License-Identifier: Apache-2.0
"""`ga2 speculate`: many speculative decodings beside plain ones, on the golden model and in both simulators."""

import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.cli.errors import FAILURE, MOST, UserError
from ga2.cli.files import write_text
from ga2.cli.progress import steps_bar
from ga2.exactness.campaign import Task, Verdict
from ga2.exactness.cases import DecodeCase
from ga2.exactness.runs import SIZES, draw_run, from_json, to_json
from ga2.exactness.speculation import GOLDEN, entry, failing, folder, play, save, shrink
from ga2.jsonfile import read_json
from ga2.sim import SIMULATORS, tools
from ga2.spec import CONFIG_NAMES, load_config

PLACES = (GOLDEN, *SIMULATORS)
RUNS = {GOLDEN: 10_000} | dict.fromkeys(SIMULATORS, 300)
ROUNDS = {GOLDEN: 60} | dict.fromkeys(SIMULATORS, 8)  # of shrinking a failed run
SHRUNK = 3  # failures that are made small; the others are only kept
MOST_JOBS = 64


def command(
    sims: Annotated[
        list[str] | None, typer.Option("--sim", help="golden (no simulation), verilator or icarus; repeat; default all")
    ] = None,
    runs: Annotated[
        int | None, typer.Option(min=1, max=MOST, help="how many; default 10000 on golden, 300 in a simulator")
    ] = None,
    config: Annotated[str, typer.Option(help="nano, wide, small or base")] = "nano",
    seed: Annotated[int, typer.Option(min=0, help="names the runs")] = 0,
    jobs: Annotated[int, typer.Option(min=1, max=MOST_JOBS, help="processes or simulations at a time")] = 2,
    only: Annotated[int | None, typer.Option(min=0, help="one run alone")] = None,
    case: Annotated[Path | None, typer.Option(metavar="FILE", help="one kept run alone")] = None,
) -> None:
    """Decode speculatively and plainly: same tokens, same cache, right counts, for every model, draft, k and cache."""
    chosen = list(dict.fromkeys(sims or PLACES))
    _check(chosen, config)
    given = [name for name, value in (("--runs", runs), ("--only", only), ("--case", case)) if value is not None]
    if len(given) > 1:
        raise UserError(f"{' and '.join(given)} each say which runs there are: choose one of them")
    _make_folder()
    kept = None if case is None else _read(case, config)
    table = Table(box=box.SIMPLE, title=f"speculation on {config}, seed {seed}", title_justify="left")
    for heading in ("on", "runs", "programs", "tokens compared", "accepted", "failed", "seconds"):
        table.add_column(heading, justify="left" if heading == "on" else "right", no_wrap=True)
    complaints: list[str] = []
    for sim in chosen:
        began = time.monotonic()
        tasks = [Task(0, run=kept)] if kept else _tasks(config, sim, seed, runs or RUNS[sim], only)
        with steps_bar(f"{config} {sim}", len(tasks), "runs") as report:
            verdicts = play(config, sim, tasks, jobs, report)
        made = entry(seed, verdicts, time.monotonic() - began)
        counts = f"{made['accepted']:,} of {made['proposed']:,}"
        table.add_row(sim, f"{made['runs']:,}", f"{made['programs']:,}", f"{made['tokens']:,}", counts,
                      str(made["mismatches"]), f"{made['seconds']:.0f}")  # fmt: skip
        if kept is None and only is None:
            print(f"ga2: {config} {sim}: summary in {save(config, sim, made)}", file=sys.stderr)
        bad = [verdict for verdict in verdicts if verdict.problems]
        complaints += [_failure(config, sim, seed, verdict, kept is None and at < SHRUNK)
                       for at, verdict in enumerate(bad)]  # fmt: skip
    Console(width=110, soft_wrap=True).print(table)
    for line in complaints:
        print(line, file=sys.stderr)
    if complaints:
        raise typer.Exit(FAILURE)


def _check(sims: list[str], config: str) -> None:
    """UserError or ToolMissing before anything is built."""
    for what, value, choices in (("configuration", config, CONFIG_NAMES), *(("simulator", s, PLACES) for s in sims)):
        if value not in choices:
            raise UserError(f"unknown {what} '{value}': choose one of {', '.join(choices)}")
    for sim in sims:
        if sim != GOLDEN:
            tools.version(sim)


def _make_folder() -> None:
    """UserError, before a long campaign, if its results could not be kept."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder()):
            pass
    except OSError as error:
        raise UserError(f"cannot write into {folder()}: {error.strerror}") from None


def _read(path: Path, config: str) -> DecodeCase:
    try:
        return from_json(read_json(path), load_config(config))
    except ValueError as error:
        raise UserError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from None


def _tasks(config: str, sim: str, seed: int, runs: int, only: int | None) -> list[Task]:
    core, indices = load_config(config), range(runs) if only is None else [only]
    return [Task(index, run=draw_run(core, seed, index, SIZES[sim])) for index in indices]


def _failure(config: str, sim: str, seed: int, verdict: Verdict, small: bool) -> str:
    """What is wrong, the run made small and kept, and the commands that show both again."""
    run = verdict.task.run
    assert run is not None
    again = f".venv/bin/ga2 speculate --config {config} --sim {sim}"
    lines = [f"ga2: {config} {sim} run {verdict.task.index}: {'; '.join(verdict.problems)}",
             f"     again: {again} --seed {seed} --only {verdict.task.index}"]  # fmt: skip
    if small:
        short = shrink(run, failing(config, sim), ROUNDS[sim])
        path = folder() / "failures" / f"{config}-{sim}-{seed}-{verdict.task.index}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps(to_json(short), indent=1) + "\n")
        lines += [f"     made small: {json.dumps(to_json(short))}", f"     again: {again} --case {path}"]
    return "\n".join(lines)
