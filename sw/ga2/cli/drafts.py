# SPDX-License-Identifier: Apache-2.0
"""`ga2 drafts`: drafts compared, on the chip and on the host, for every k."""

from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ga2.cli.files import check_outputs, check_picture, write_text
from ga2.cli.progress import steps_bar
from ga2.drafts.document import BEST_HEADER, best_rows, csv_text
from ga2.drafts.runs import CONFIG, DRAFTS, TARGETS, TOKENS, compared


def command(
    csv_path: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="write every run")] = None,
    plot_path: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="write the picture (SVG)")] = None,
) -> None:
    """Compare the drafts, and the best k with the formula's."""
    check_picture("--plot", plot_path)
    check_outputs({"--csv": csv_path, "--plot": plot_path})
    with steps_bar("drafts", len(TARGETS) * len(DRAFTS), "drafts on targets") as report:
        for index, (target, seed) in enumerate(TARGETS):
            for number, draft in enumerate(DRAFTS):
                compared(target, seed, draft)
                report(index * len(DRAFTS) + number + 1)
    title = f"{CONFIG}: {TOKENS} tokens; guesses on the host cost no cycle"
    shown = Table(box=box.SIMPLE, title=title, title_justify="left")
    for heading in BEST_HEADER:
        shown.add_column(heading, no_wrap=heading in ("target", "draft"))
    for row in best_rows():
        shown.add_row(*map(str, row))
    Console(width=110, soft_wrap=True).print(shown)
    if csv_path:
        write_text(csv_path, csv_text())
    if plot_path:
        from ga2.drafts.plot import svg  # takes a second to import

        write_text(plot_path, svg())
