# SPDX-License-Identifier: Apache-2.0
"""`ga2 demo`: the recorded runs again, on the simulated core in both simulators, beside the recorded figures."""

import csv
from dataclasses import dataclass

import typer
from rich.console import Console
from rich.table import Table

from ga2.cli.errors import FAILURE
from ga2.cli.progress import tokens_bar
from ga2.decoding import Outcome, Request
from ga2.decoding.backends import on_rtl
from ga2.sim import SIMULATORS, tools
from ga2.spec import SPEC_DIR

CONFIG = "nano"
RECORDED_RUNS = SPEC_DIR / "recorded" / "greedy_runs.csv"
NOTE = (
    "The earlier chip moved one int8 in each 32-bit word; GA2 packs four, so part of the difference in cycles is "
    "packing. Counts of the random target belong to float arithmetic: on the chip a near tie may fall the other way."
)


@dataclass(frozen=True)
class Recorded:
    """One row of the recorded table: counts are None for plain decoding."""

    request: Request
    counts: tuple[int, int, int] | None
    programs: int
    cycles: int
    speedup: float

    @property
    def title(self) -> str:
        """What was decoded."""
        if self.request.k == 0:
            return f"{self.request.target}, plain"
        return f"{self.request.target}, k = {self.request.k}, noise {self.request.noise:g}"


def recorded_runs() -> list[Recorded]:
    """The rows of the recorded table as requests on this core, with the draft in its matmul form."""
    with RECORDED_RUNS.open(newline="") as file:
        return [
            Recorded(
                request=Request(target=row["target"], k=int(row["k"] or 0), noise=float(row["noise"] or 0)),
                counts=(int(row["accepted"]), int(row["proposed"]), int(row["blocks"])) if row["k"] else None,
                programs=int(row["programs"]),
                cycles=int(row["earlier_cycles"]),
                speedup=float(row["earlier_speedup"]),
            )
            for row in csv.DictReader(file)
        ]


def agrees(row: Recorded, outcome: Outcome) -> bool:
    """Whether the counts are the recorded ones."""
    counts = (outcome.accepted, outcome.proposed, outcome.blocks)
    return outcome.programs == row.programs and row.counts in (None, counts)


def _table(sim: str, rows: list[Recorded], outcomes: list[Outcome]) -> Table:
    table = Table(title=f"{CONFIG} in {sim}: 32 tokens, recorded figures in brackets")
    for heading in ("run", "accepted", "blocks", "programs", "cycles", "speed-up", "golden"):
        table.add_column(heading, justify="left" if heading == "run" else "right")
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


def command() -> None:
    """Decode the seven recorded runs on the simulated core, in both simulators."""
    rows = recorded_runs()
    requests = [row.request for row in rows]
    for sim in SIMULATORS:
        tools.version(sim)
    console = Console()
    good = True
    for sim in SIMULATORS:
        with tokens_bar(sim, requests) as progress:
            outcomes = on_rtl(CONFIG, sim, requests, progress)
        console.print(_table(sim, rows, outcomes))
        for row, outcome in zip(rows, outcomes, strict=True):
            console.print(f"{row.title}: {' '.join(map(str, outcome.tokens))}")
            if outcome.difference is not None:
                console.print(f"  differs from golden: {outcome.difference}")
        structured = all(
            agrees(row, out) for row, out in zip(rows, outcomes, strict=True) if row.request.target == "structured"
        )
        console.print(f"structured counts equal the recorded ones: {'yes' if structured else 'NO'}")
        good = good and structured and all(outcome.golden_match for outcome in outcomes)
    console.print(NOTE)
    if not good:
        raise typer.Exit(FAILURE)
