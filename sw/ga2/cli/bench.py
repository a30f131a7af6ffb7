# SPDX-License-Identifier: Apache-2.0
"""`ga2 bench`: the core's speed, measured on the RTL, held to the timing model and to what is promised."""

import sys
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, wait
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.bench import tables
from ga2.bench.measure import Measured, measure, problems, programs
from ga2.bench.predict import Spent, predicted, spent
from ga2.bench.promises import MISSED, Figures, judge, load_promises
from ga2.bench.summary import contents, save
from ga2.bench.tasks import all_tasks
from ga2.cli.decode import BACKENDS
from ga2.cli.errors import FAILURE, UserError
from ga2.cli.progress import Steps, steps_bar, steps_bars
from ga2.sim import SIMULATORS, tools
from ga2.sim.process import threads
from ga2.spec import CONFIG_NAMES, load_config

WIDTH = 150  # characters; a narrower terminal wraps whole lines

Seen = dict[str, dict[str, Measured]]
"""What a simulator measured, by configuration and task."""


def command(
    configs: Annotated[list[str] | None, typer.Option("--config", help="a configuration; repeat; default all")] = None,
    backend: Annotated[str, typer.Option(help="golden predicts; rtl also runs every program and compares")] = "rtl",
    sims: Annotated[list[str] | None, typer.Option("--sim", help="icarus or verilator; repeat; default both")] = None,
) -> None:
    """Measure the core's speed on the RTL; fail if a counter is not as predicted or a promise is not kept."""
    chosen, simulators = _checked(configs, backend, sims)
    with steps_bar("timing model", len(all_tasks(chosen)), "tasks") as report:
        for done, (config, task) in enumerate(all_tasks(chosen), start=1):
            predicted(config, task)
            report(done)
    seen = _in_every_simulator(chosen, simulators) if backend == "rtl" else {}
    found = [f"{config} in {sim}: {line}" for sim, by_config in seen.items()
             for config, measured in by_config.items() for line in problems(config, measured)]  # fmt: skip
    for line in found:
        print(f"ga2: {line}", file=sys.stderr)
    if found:
        print("ga2: no summary is written", file=sys.stderr)
        raise typer.Exit(FAILURE)
    figures = _figures(seen)
    _print(figures, chosen)
    counted = {sim: {config: programs(config) for config in by_config} for sim, by_config in seen.items()}
    for sim, by_config in counted.items():
        print(f"{sim}: {sum(by_config.values())} programs, every byte and every counter as predicted")
    if not seen:
        print("predicted by the timing model; nothing was run on the RTL")
    print(f"summary: {save(contents(figures, chosen, counted))}")
    missed = [promise.says for promise in load_promises()
              if promise.config in chosen and judge(promise, figures).verdict == MISSED]  # fmt: skip
    for says in missed:
        print(f"ga2: a promise is not kept: {says}", file=sys.stderr)
    if missed:
        raise typer.Exit(FAILURE)


def _checked(configs: list[str] | None, backend: str, sims: list[str] | None) -> tuple[list[str], list[str]]:
    """Configurations and simulators; UserError or ToolMissing before anything is built or written."""
    chosen = list(dict.fromkeys(configs or CONFIG_NAMES))
    try:
        for name in chosen:
            load_config(name)
    except ValueError as error:
        raise UserError(str(error)) from None
    if backend not in BACKENDS:
        raise UserError(f"unknown backend '{backend}': choose one of {', '.join(BACKENDS)}")
    simulators = list(dict.fromkeys(sims or SIMULATORS))
    for sim in simulators:
        if sim not in SIMULATORS:
            raise UserError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")
        if backend == "rtl":
            tools.version(sim)
    return chosen, simulators


def _in_every_simulator(configs: Sequence[str], sims: Sequence[str]) -> dict[str, Seen]:
    """The tasks of every configuration, the simulators side by side; an error in one ends the other."""
    total = sum(programs(config) for config in configs)
    with steps_bars({sim: total for sim in sims}, "programs") as reports, threads(len(sims)) as pool:
        runs = [pool.submit(_in_one, configs, sim, report) for sim, report in zip(sims, reports, strict=True)]
        for run in wait(runs, return_when=FIRST_EXCEPTION).done:
            run.result()
        return {sim: run.result() for sim, run in zip(sims, runs, strict=True)}


def _in_one(configs: Sequence[str], sim: str, report: Steps) -> Seen:
    seen: Seen = {}
    before = 0
    for config in configs:
        seen[config] = measure(config, sim, lambda done: report(before + done))
        before += programs(config)
    return seen


def _figures(seen: dict[str, Seen]) -> Figures:
    """What was measured; without a measurement, what is predicted. All simulators have counted the same."""
    measured = next(iter(seen.values()), {})

    def of(config: str, task: str) -> Spent:
        return spent(config, task, measured[config][task].programs if measured else None)

    return of


def _print(figures: Figures, configs: Sequence[str]) -> None:
    console = Console(width=WIDTH, soft_wrap=True)
    for title, made in {
        "what is promised, on the reference memory": tables.promises_table(figures, configs),
        "cycles and what they cannot be below": tables.cycles_table(figures, configs),
        "where the cycles go: each is spent on the first that holds": tables.partition_table(figures, configs),
        "plain decoding with the weights kept in the scratchpad": tables.resident_table(figures, configs),
    }.items():
        if not made.rows:  # no promise is about these configurations
            continue
        shown = Table(title=title, title_justify="left", box=box.SIMPLE)
        for index, heading in enumerate(made.header):
            words = index < made.words or heading == "kept"
            shown.add_column(heading, justify="left" if words else "right")
        for row in made.rows:
            shown.add_row(*row)
        console.print(shown)
