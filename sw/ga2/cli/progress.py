# SPDX-License-Identifier: Apache-2.0
"""The progress bar on stderr: tokens done over all requests, with an estimate of the time left."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ga2.decoding import Request
from ga2.decoding.perform import Progress as Report


@contextmanager
def tokens_bar(title: str, requests: Sequence[Request]) -> Iterator[Report]:
    """A bar for `requests`; yields the function that reports (request, emitted, wanted)."""
    before = [sum(request.tokens for request in requests[:index]) for index in range(len(requests))]
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("tokens"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=sum(request.tokens for request in requests))
        yield lambda index, done, _wanted: bar.update(task, completed=before[index] + done)
