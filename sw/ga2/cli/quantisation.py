# SPDX-License-Identifier: Apache-2.0
"""`ga2 quantisation`: int8 beside floating point, layer by layer, on the golden core."""

from collections.abc import Sequence
from functools import cache, partial
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.accuracy import quantisation_page as page
from ga2.accuracy.quantisation import PROMPTS, SEED, measure
from ga2.cli.errors import UserError
from ga2.models.targets import TARGET_KINDS

MOST_PROMPTS = 100_000
WIDTH = 120


def command(
    targets: Annotated[
        list[str] | None, typer.Option("--target", help="structured, random or sharp; repeat; default all")
    ] = None,
    count: Annotated[int, typer.Option("--prompts", help="prompts of each target")] = PROMPTS,
    seed: Annotated[int, typer.Option(help="of the prompts")] = SEED,
) -> None:
    """Errors of every tensor of the shipped models, with a scale a column of each weight and with one a weight.

    Largest and root mean square in int8 steps of the tensor, the latter also relative to the tensor's own. The same
    with the default prompts is docs/user/quantisation.md, which `make generate` writes.
    """
    kinds = targets or list(TARGET_KINDS)
    for kind in kinds:
        if kind not in TARGET_KINDS:
            raise UserError(f"unknown target '{kind}': choose one of {', '.join(TARGET_KINDS)}")
    if not 1 <= count <= MOST_PROMPTS:
        raise UserError(f"{count} prompts: expected 1 to {MOST_PROMPTS}")
    if seed < 0:
        raise UserError(f"seed {seed}: expected 0 or more")
    measured = cache(partial(measure, count=count, seed=seed))
    console = Console(width=WIDTH, soft_wrap=True)
    for title, header, rows in (
        ("weights", page.WEIGHTS_HEADER, page.weights_rows(kinds)),
        ("tensors of the target", page.LAYERS_HEADER, page.layers_rows(measured, kinds)),
        ("logits", page.LOGITS_HEADER, page.logits_rows(measured, kinds)),
    ):
        console.print(_table(title, header, rows))


def _table(title: str, header: Sequence[str], rows: page.Rows) -> Table:
    table = Table(*header, title=title, title_justify="left", box=box.SIMPLE)
    for row in rows:
        table.add_row(*map(str, row))
    return table
