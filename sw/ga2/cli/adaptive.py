# SPDX-License-Identifier: Apache-2.0
"""`ga2 adaptive-k`: k that adapts beside every fixed k, for drafts of all qualities."""

from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.adaptive.document import HEADER, rows
from ga2.adaptive.runs import CONFIG, FORMS, TOKENS, by_noise, changing
from ga2.cli.files import check_outputs, check_picture, write_text
from ga2.cli.progress import steps_bar


def command(
    plot_path: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="write the picture (SVG)")] = None,
) -> None:
    """Show what an adaptive k chooses and gains over 256 tokens."""
    check_picture("--plot", plot_path)
    check_outputs({"--plot": plot_path})
    lines: list[list[object]] = []
    with steps_bar("adaptive k", len(FORMS) + 1, "tables") as report:
        for index, form in enumerate(FORMS):
            lines += rows(by_noise(form), f", {form} (chip)")
            report(index + 1)
        lines += rows(changing())
    shown = Table(box=box.SIMPLE, title=f"{CONFIG}: {TOKENS} tokens", title_justify="left")
    for heading in HEADER:
        shown.add_column(heading, no_wrap=heading in ("draft", "accepted"))
    for line in lines:
        shown.add_row(*map(str, line))
    Console(width=120, soft_wrap=True).print(shown)
    if plot_path:
        from ga2.adaptive.plot import svg  # takes a second to import

        write_text(plot_path, svg())
