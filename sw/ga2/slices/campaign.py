# SPDX-License-Identifier: Apache-2.0
"""Many graphs on the golden model, each drawn for a bin that none has hit yet."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from ga2.slices.battery import check
from ga2.slices.case import Case, Drawn, draw_case
from ga2.slices.cross import Holes
from ga2.spec import Config


@dataclass(frozen=True)
class Played:
    """One graph: what was drawn, what is wrong with it, and its largest relative error against real arithmetic."""

    drawn: Drawn
    problems: tuple[str, ...]
    float_error: float = 0.0


@dataclass
class Summary:
    """A campaign so far."""

    holes: Holes
    graphs: int = 0
    runs: int = 0
    refused: list[str] = field(default_factory=list)
    failed: list[Played] = field(default_factory=list)
    float_error: float = 0.0

    def take(self, played: Played) -> None:
        """Count one graph; the bins of its runs only if it passed."""
        self.graphs += 1
        self.runs += len(played.drawn.recipe.runs)
        self.refused += played.drawn.refused
        self.float_error = max(self.float_error, played.float_error)
        if played.problems:
            self.failed.append(played)
        else:
            for run in played.drawn.recipe.runs:
                self.holes.take(played.drawn.subject.facts(run))


def cases(config: Config, seed: int, holes: Holes, count: int) -> Iterator[Case]:
    """Seeds from `seed` on, each with a hole as it is when the case is asked for."""
    for number in range(seed, seed + count):
        yield Case(number, holes.target(Random(f"{config.name} {number}")))


def on_golden(
    config: Config, seed: int, count: int, progress: Callable[[int], None], holes: Holes | None = None
) -> Summary:
    """`count` graphs through the whole battery."""
    summary = Summary(holes or Holes(config))
    for done, case in enumerate(cases(config, seed, summary.holes, count)):
        drawn = draw_case(config, case)
        verdict = check(drawn.subject)
        summary.take(Played(drawn, verdict.problems, verdict.float_error))
        progress(done + 1)
    return summary


