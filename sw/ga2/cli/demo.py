# SPDX-License-Identifier: Apache-2.0
"""`ga2 demo`: the recorded runs again, on the simulated core in both simulators, beside the recorded figures."""

import sys
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, wait

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.cli.errors import FAILURE
from ga2.cli.progress import tokens_bars
from ga2.decoding import Outcome, Request
from ga2.decoding.backends import on_rtl
from ga2.decoding.recorded import Recorded, problems, recorded_runs
from ga2.sim import SIMULATORS, tools
from ga2.sim.process import threads

CONFIG = "nano"
WIDTH = 110  # characters; a narrower terminal wraps whole lines
NOTE = (
    "In brackets the earlier chip, which moved one int8 in each 32-bit word; GA2 packs four, so part of the difference "
    "in cycles is packing. The random target's recorded counts belong to float arithmetic; on the chip they must equal "
    "those recomputed from its own plain tokens."
)


def _table(rows: Sequence[Recorded], outcomes: Sequence[Outcome]) -> Table:
    table = Table(title=f"{CONFIG}: 32 tokens, recorded figures in brackets", title_justify="left", box=box.SIMPLE)
    for heading in ("run", "accepted", "blocks", "programs", "cycles", "speed-up", "golden"):
        table.add_column(heading, justify="left" if heading == "run" else "right", no_wrap=True)
    plain = {row.request.target: outcome for row, outcome in zip(rows, outcomes, strict=True) if row.request.k == 0}
    for row, outcome in zip(rows, outcomes, strict=True):
        accepted, proposed, blocks = row.counts or (0, 0, row.programs)
        table.add_row(
            row.title,
            f"{outcome.accepted}/{outcome.proposed} ({accepted}/{proposed})",
            f"{outcome.blocks} ({blocks})",
            f"{outcome.programs} ({row.programs})",
            f"{outcome.cycles:,} ({row.cycles:,})",
            f"{plain[row.request.target].cycles / outcome.cycles:.2f} ({row.speedup:.2f})",
            "equal" if outcome.golden_match else "DIFFERS",
        )
    return table


def _in_every_simulator(requests: Sequence[Request]) -> dict[str, list[Outcome]]:
    """The outcomes by simulator, run side by side; an interrupt or an error in one ends the other."""
    bars = tokens_bars({f"{CONFIG} in {sim}": requests for sim in SIMULATORS})
    with bars as reports, threads(len(SIMULATORS)) as pool:
        runs = [
            pool.submit(on_rtl, CONFIG, sim, requests, report) for sim, report in zip(SIMULATORS, reports, strict=True)
        ]
        for run in wait(runs, return_when=FIRST_EXCEPTION).done:
            run.result()
        return {sim: run.result() for sim, run in zip(SIMULATORS, runs, strict=True)}


def command() -> None:
    """Decode the seven recorded runs on the simulated core, in both simulators side by side."""
    rows = recorded_runs()
    for sim in SIMULATORS:
        tools.version(sim)
    outcomes = _in_every_simulator([row.request for row in rows])

    console = Console(width=WIDTH, soft_wrap=True)
    first, *others = outcomes.values()
    console.print(_table(rows, first))
    for row, outcome in zip(rows, first, strict=True):
        console.print(f"{row.title}: {' '.join(map(str, outcome.tokens))}")
    same = all([out.counters for out in other] == [out.counters for out in first] for other in others)
    console.print(f"cycles and counters identical in {' and '.join(SIMULATORS)}: {'yes' if same else 'NO'}")
    found = [f"{sim}: {line}" for sim, seen in outcomes.items() for line in problems(CONFIG, rows, seen)]
    console.print(f"tokens, counts, memory and counters as they must be: {'NO' if found else 'yes'}")
    console.print(NOTE)
    for line in found:
        print(f"ga2: {line}", file=sys.stderr)
    if found or not same:
        raise typer.Exit(FAILURE)
