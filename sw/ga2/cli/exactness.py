# SPDX-License-Identifier: Apache-2.0
"""`ga2 exactness`: the campaign against "row i of a block is the one-row step", with a table and a verdict."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.cli.errors import FAILURE, UserError
from ga2.cli.progress import steps_bar
from ga2.exactness.campaign import Task, Verdict, on_golden, on_rtl
from ga2.exactness.rule import RULE_TOKENS
from ga2.models.shapes import VOCABULARY
from ga2.sim import SIMULATORS, tools
from ga2.spec import CONFIG_NAMES, load_config

CASE_PARTS = ("golden", "rtl")
PARTS = (*CASE_PARTS, "rule")
SHOWN = 3  # problems of one case that are printed


def command(
    configs: Annotated[list[str] | None, typer.Option("--config", help="a configuration; repeat; default all")] = None,
    sim: Annotated[str, typer.Option(help="icarus or verilator")] = "verilator",
    seed: Annotated[int, typer.Option(help="names the cases", min=0)] = 0,
    cases: Annotated[int, typer.Option(help="cases on the golden model, by configuration", min=1)] = 500,
    rtl_cases: Annotated[int, typer.Option(help="the first of them that run on the RTL too", min=1)] = 32,
    rule_tokens: Annotated[int, typer.Option(help="cache rows to which the structured rule is followed")] = RULE_TOKENS,
    parts: Annotated[list[str] | None, typer.Option("--part", help="golden, rtl or rule; repeat; default all")] = None,
    only: Annotated[int | None, typer.Option(help="one case alone; with --part rule one start token", min=0)] = None,
) -> None:
    """Attack the claim that speculative decoding equals plain decoding bit for bit, on every configuration."""
    names, chosen = configs or list(CONFIG_NAMES), parts or list(PARTS if only is None else CASE_PARTS)
    _check(names, sim, chosen, rule_tokens, only)
    table = Table(box=box.SIMPLE, title=f"exactness, seed {seed}", title_justify="left")
    for heading in ("configuration", "part", "cases", "programs", "rows compared", "failed", "seconds"):
        table.add_column(heading, justify="left" if heading in ("configuration", "part") else "right", no_wrap=True)
    failures: list[str] = []
    for config in names:
        for part in (part for part in PARTS if part in chosen):
            tasks = _tasks(part, cases, rtl_cases, rule_tokens, only)
            began = time.monotonic()
            with steps_bar(f"{config} {part}", len(tasks), "cases") as report:
                verdicts = _runner(part, config, sim, seed)(tasks, report)
            found = [_failure(part, config, sim, seed, verdict) for verdict in verdicts if verdict.problems]
            failures += found
            table.add_row(
                config,
                part if part == "golden" else f"{part}, {sim}",
                f"{len(verdicts):,}",
                f"{sum(verdict.programs for verdict in verdicts):,}",
                f"{sum(verdict.rows for verdict in verdicts):,}",
                str(len(found)),
                f"{time.monotonic() - began:.0f}",
            )
            print(f"ga2: {config} {part}: {len(verdicts)} cases, {len(found)} failed", file=sys.stderr)
    Console(width=110, soft_wrap=True).print(table)
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        raise typer.Exit(FAILURE)


def _check(names: Sequence[str], sim: str, parts: Sequence[str], tokens: int, only: int | None) -> None:
    """UserError or ToolMissing before anything is built."""
    try:
        room = min(load_config(name).max_len for name in names)
    except ValueError as error:
        raise UserError(str(error)) from None
    if sim not in SIMULATORS:
        raise UserError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")
    for part in parts:
        if part not in PARTS:
            raise UserError(f"unknown part '{part}': choose one of {', '.join(PARTS)}")
    if not 1 <= tokens <= room:
        raise UserError(f"rule-tokens must be from 1 to {room} (MAX_LEN), not {tokens}")
    if only is not None and "rule" in parts and only >= VOCABULARY:
        raise UserError(f"--only {only}: a start token is from 0 to {VOCABULARY - 1}")
    if "rtl" in parts or "rule" in parts:
        tools.version(sim)


def _tasks(part: str, cases: int, rtl_cases: int, tokens: int, only: int | None) -> list[Task]:
    rule = tokens if part == "rule" else 0
    count = {"golden": cases, "rtl": rtl_cases, "rule": VOCABULARY}[part]
    if only is None:
        return [Task(index, rule) for index in range(count)]
    return [Task(only, rule)]


def _runner(
    part: str, config: str, sim: str, seed: int
) -> Callable[[Sequence[Task], Callable[[float], None]], list[Verdict]]:
    if part == "golden":
        return lambda tasks, report: on_golden(config, seed, tasks, report)
    return lambda tasks, report: on_rtl(config, sim, seed, tasks, report)


def _failure(part: str, config: str, sim: str, seed: int, verdict: Verdict) -> str:
    """What is wrong, and the command that shows it again."""
    lines = list(verdict.problems[:SHOWN])
    if len(verdict.problems) > SHOWN:
        lines.append(f"and {len(verdict.problems) - SHOWN} more")
    again = f"ga2 exactness --config {config} --sim {sim} --seed {seed} --part {part} --only {verdict.task.index}"
    if verdict.task.rule:
        again += f" --rule-tokens {verdict.task.rule}"
    return f"ga2: {config} {part} {verdict.task.index}: {'; '.join(lines)}\n     again: .venv/bin/{again}"
