# SPDX-License-Identifier: Apache-2.0
"""The recorded grid of noise and k, decoded on this core: counts, speed-up, and the formula's prediction for each cell.

The target is the structured one, 32 tokens from token 0, the draft its bigram with the noise of seed 1.
"""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ga2.bench.predict import spent
from ga2.cost.points import predicted
from ga2.decoding.backends import on_golden, on_rtl
from ga2.decoding.perform import Progress
from ga2.decoding.request import Outcome, Request
from ga2.spec import SPEC_DIR
from ga2.sweep.formula import chip_speedup

GRID = SPEC_DIR / "recorded" / "acceptance_grid.csv"
PLAIN = Request(k=0)
CACHE = 12  # rows at which the formula's costs are taken; 32 tokens see 0 to 35
GOLDEN = "golden"


@dataclass(frozen=True)
class Recorded:
    """One cell of the recorded grid. counts: accepted, proposed, blocks. percent: acceptance, rounded."""

    noise: float
    k: int
    counts: tuple[int, int, int]
    percent: int
    speedup: float

    @property
    def request(self) -> Request:
        """The same run on this core."""
        return Request(noise=self.noise, k=self.k)

    @property
    def title(self) -> str:
        """Which cell."""
        return f"noise {self.noise:g}, k = {self.k}"


@dataclass(frozen=True)
class Cell:
    """A cell as it ran. acceptance: from 0 to 1. measured, predicted: speed-up over plain decoding."""

    recorded: Recorded
    counts: tuple[int, int, int]
    cycles: int
    acceptance: float
    measured: float
    predicted: float


@dataclass(frozen=True)
class Costs:
    """Cycles of one plain step and one guess; `verify(rows)` of one target pass, on `CACHE` rows."""

    config: str
    plain: int
    draft: int

    def verify(self, rows: int) -> int:
        """Cycles of a pass of so many rows."""
        return predicted(self.config, CACHE, rows)["total"]

    def speedup(self, acceptance: float, k: int) -> float:
        """The formula's, with these cycles."""
        return chip_speedup(acceptance, k, self.plain, self.draft, self.verify(k + 1))


def costs(config: str) -> Costs:
    """Of the structured target and its matmul draft, from the timing model."""
    return Costs(config, predicted(config, CACHE, 1)["total"], spent(config, "guess").cycles)


def recorded_grid() -> list[Recorded]:
    """The recorded cells."""
    with GRID.open(newline="") as file:
        return [
            Recorded(
                noise=float(row["noise"]),
                k=int(row["k"]),
                counts=(int(row["accepted"]), int(row["proposed"]), int(row["blocks"])),
                percent=int(row["acceptance_percent"]),
                speedup=float(row["earlier_speedup"]),
            )
            for row in csv.DictReader(file)
        ]


def requests(rows: Iterable[Recorded]) -> list[Request]:
    """Plain decoding, then every cell."""
    return [PLAIN, *(row.request for row in rows)]


def run(config: str, sim: str, rows: Sequence[Recorded], progress: Progress) -> list[Outcome]:
    """The outcomes of `requests(rows)` on `golden` or in a simulator; raises what `on_rtl` raises."""
    asked = requests(rows)
    return on_golden(config, asked, progress) if sim == GOLDEN else on_rtl(config, sim, asked, progress)


def cells(config: str, rows: Sequence[Recorded], outcomes: Sequence[Outcome]) -> list[Cell]:
    """What the runs showed, beside the formula with the acceptance that each run had."""
    plain, *others = outcomes
    known, found = costs(config), []
    for row, out in zip(rows, others, strict=True):
        acceptance = out.accepted / out.proposed
        counts = (out.accepted, out.proposed, out.blocks)
        found.append(Cell(row, counts, out.cycles, acceptance, plain.cycles / out.cycles,
                          known.speedup(acceptance, row.k)))  # fmt: skip
    return found


def problems(rows: Sequence[Recorded], outcomes: Sequence[Outcome]) -> list[str]:
    """Every cell that is not as recorded, does not give the plain tokens, or differs from golden; a line each."""
    plain, *others = outcomes
    found = [] if plain.golden_match is not False else [f"plain: differs from golden: {plain.difference}"]
    for row, out in zip(rows, others, strict=True):
        counts = (out.accepted, out.proposed, out.blocks)
        if counts != row.counts:
            found.append(f"{row.title}: accepted, proposed, blocks {counts}, recorded {row.counts}")
        if round(100 * out.accepted / out.proposed) != row.percent:
            found.append(f"{row.title}: acceptance {out.accepted} of {out.proposed}, recorded {row.percent} %")
        if out.tokens != plain.tokens:
            found.append(f"{row.title}: the tokens differ from plain decoding")
        if out.golden_match is False:
            found.append(f"{row.title}: differs from golden: {out.difference}")
    return found


@lru_cache
def measured(config: str) -> tuple[Cell, ...]:
    """Every cell on the golden device, whose cycles are the timing model's. ValueError if one is not as recorded."""
    rows = recorded_grid()
    outcomes = run(config, GOLDEN, rows, lambda *_: None)
    wrong = problems(rows, outcomes)
    if wrong:
        raise ValueError(f"{config}: {'; '.join(wrong)}")
    return tuple(cells(config, rows, outcomes))
