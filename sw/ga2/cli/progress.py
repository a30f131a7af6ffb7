# SPDX-License-Identifier: Apache-2.0
"""Progress bars on stderr, if that is a terminal: what is done of how much, and an estimate of the time left."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ga2.decoding import Request
from ga2.decoding.perform import Progress as Report


@contextmanager
def _bars(unit: str) -> Iterator[Progress]:
    """An empty display; bars count `unit`."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit))
    console = Console(stderr=True)
    with Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True, disable=not console.is_terminal
    ) as bars:
        yield bars


Steps = Callable[[float], None]
"""Told how many steps are done."""


@contextmanager
def steps_bars(totals: Mapping[str, int], unit: str) -> Iterator[list[Steps]]:
    """A bar for each title, of so many steps; yields the functions that report how many are done."""
    with _bars(unit) as bars:
        yield [_steps(bars, title, total) for title, total in totals.items()]


def _steps(bars: Progress, title: str, total: int) -> Steps:
    task = bars.add_task(title, total=total)
    return lambda done: bars.update(task, completed=int(done))


@contextmanager
def steps_bar(title: str, total: int, unit: str) -> Iterator[Steps]:
    """One bar of `total` steps; yields the function that reports how many are done."""
    with steps_bars({title: total}, unit) as (report,):
        yield report


@contextmanager
def tokens_bars(runs: Mapping[str, Sequence[Request]]) -> Iterator[list[Report]]:
    """A bar for each titled list of requests; yields the functions that report (request, emitted, wanted)."""
    with _bars("tokens") as bars:
        yield [_report(bars, title, requests) for title, requests in runs.items()]


def _report(bars: Progress, title: str, requests: Sequence[Request]) -> Report:
    before = [sum(request.tokens for request in requests[:index]) for index in range(len(requests))]
    task = bars.add_task(title, total=sum(request.tokens for request in requests))
    return lambda index, done, _wanted: bars.update(task, completed=before[index] + done)


@contextmanager
def tokens_bar(title: str, requests: Sequence[Request]) -> Iterator[Report]:
    """The bar of a single list of requests."""
    with tokens_bars({title: requests}) as (report,):
        yield report


@contextmanager
def count_bar(title: str, unit: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar of things done; yields the function that reports how many."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task(title, total=total)
        yield lambda done: bars.update(task, completed=done)
