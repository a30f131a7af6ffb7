# SPDX-License-Identifier: Apache-2.0
"""Many graphs, each drawn for a bin that none has hit yet, through the battery on the golden model."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from random import Random

from ga2.pool import processes
from ga2.slices.battery import check
from ga2.slices.case import Case, CompilerFailure, draw_case
from ga2.slices.cross import Holes
from ga2.slices.facts import Fact
from ga2.slices.recipe import Recipe
from ga2.spec import Config, load_config


@dataclass(frozen=True)
class Played:
    """One graph: what it was built from, the facts of its runs, what is wrong, and its largest relative error against
    real arithmetic. refused: graphs drawn before it for which the scratchpad is too small, the error of each."""

    case: Case
    recipe: Recipe
    facts: tuple[Fact, ...]
    problems: tuple[str, ...]
    float_error: float = 0.0
    refused: tuple[str, ...] = ()


@dataclass
class Summary:
    """A campaign so far."""

    holes: Holes
    played: list[Played] = field(default_factory=list)

    def take(self, played: Played) -> None:
        """Count one graph; the bins of its runs only if it passed."""
        self.played.append(played)
        if not played.problems:
            self.holes.take(played.facts)

    @property
    def failed(self) -> list[Played]:
        """Those with problems, in the order of their seeds."""
        return sorted((one for one in self.played if one.problems), key=lambda one: one.case.seed)


def cases(config: Config, seeds: Iterable[int], holes: Holes) -> Iterator[Case]:
    """Each seed with a bin that is a hole when the case is asked for."""
    for seed in seeds:
        yield Case(seed, holes.target(Random(f"{config.name} {seed}")))


def play(config: str, case: Case) -> Played:
    """One graph on the golden model. A compiler or a check that falls over is a problem like any other."""
    try:
        drawn = draw_case(load_config(config), case)
    except CompilerFailure as error:
        return Played(case, error.recipe, (), (str(error),))
    try:
        verdict = check(drawn.subject)
    except Exception as error:
        return Played(case, drawn.recipe, (), (f"{type(error).__name__}: {error}",))
    facts = tuple(fact for run in drawn.recipe.runs for fact in drawn.subject.facts(run))
    return Played(case, drawn.recipe, facts, verdict.problems, verdict.float_error, drawn.refused)


def on_golden(
    config: Config, seeds: range, holes: Holes, jobs: int = 1, progress: Callable[[int], None] = lambda _: None
) -> Summary:
    """One graph a seed, `jobs` processes at a time. With more than one, which holes a seed sees depends on their
    speed; a graph itself depends on configuration, seed and bin alone."""
    summary = Summary(holes)
    waiting = cases(config, seeds, holes)
    if jobs == 1:
        for each in waiting:
            summary.take(play(config.name, each))
            progress(len(summary.played))
        return summary
    with processes(jobs) as pool:
        running: set[Future[Played]] = set()
        while len(summary.played) < len(seeds):
            while len(running) < 2 * jobs and (case := next(waiting, None)) is not None:
                running.add(pool.submit(play, config.name, case))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for one in done:
                summary.take(one.result())
            progress(len(summary.played))
    return summary
