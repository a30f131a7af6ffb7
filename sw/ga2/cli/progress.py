# SPDX-License-Identifier: Apache-2.0
"""Progress on stderr: what is done of how much, and an estimate of the time left.

A terminal gets a bar; anything else, a log for instance, gets a line a minute.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from ga2.decoding import Request
from ga2.decoding.perform import Progress as Report

LINE_SECONDS = 60

Steps = Callable[[float], None]
"""Told how many steps are done."""


class _Bars:
    """Bars that count `unit`, or the lines in their place."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit))
        console = Console(stderr=True)
        self.drawn = console.is_terminal
        self.bars = Progress(
            *columns, TimeRemainingColumn(), console=console, transient=True, disable=not self.drawn
        )
        self._last_line = monotonic()

    def add(self, title: str, total: float) -> Steps:
        """One more bar; the function that reports its steps."""
        task = self.bars.add_task(title, total=total)

        def report(done: float) -> None:
            self.bars.update(task, completed=int(done))
            if not self.drawn and monotonic() - self._last_line >= LINE_SECONDS:
                self._last_line = monotonic()
                print(self._line(task), file=sys.stderr, flush=True)

        return report

    def _line(self, number: TaskID) -> str:
        task = next(each for each in self.bars.tasks if each.id == number)
        left = "" if task.time_remaining is None else f", about {-(-task.time_remaining // 60):.0f} min left"
        return f"{task.description}: {task.completed:,.0f} of {task.total:,.0f} {self.unit}{left}"


@contextmanager
def _bars(unit: str) -> Iterator[_Bars]:
    """An empty display."""
    made = _Bars(unit)
    with made.bars:
        yield made


@contextmanager
def steps_bars(totals: Mapping[str, int], unit: str) -> Iterator[list[Steps]]:
    """A bar for each title, of so many steps; yields the functions that report how many are done."""
    with _bars(unit) as bars:
        yield [bars.add(title, total) for title, total in totals.items()]


@contextmanager
def steps_bar(title: str, total: int, unit: str) -> Iterator[Steps]:
    """One bar of `total` steps; yields the function that reports how many are done."""
    with steps_bars({title: total}, unit) as (report,):
        yield report


@contextmanager
def tokens_bars(runs: Mapping[str, Sequence[Request]]) -> Iterator[list[Report]]:
    """A bar for each titled list of requests; yields the functions that report (request, emitted, wanted)."""
    totals = {title: sum(request.tokens for request in requests) for title, requests in runs.items()}
    with steps_bars(totals, "tokens") as reports:
        yield [_in_tokens(report, requests) for report, requests in zip(reports, runs.values(), strict=True)]


def _in_tokens(report: Steps, requests: Sequence[Request]) -> Report:
    before = [sum(request.tokens for request in requests[:index]) for index in range(len(requests))]
    return lambda index, done, _wanted: report(before[index] + done)


@contextmanager
def tokens_bar(title: str, requests: Sequence[Request]) -> Iterator[Report]:
    """The bar of a single list of requests."""
    with tokens_bars({title: requests}) as (report,):
        yield report
