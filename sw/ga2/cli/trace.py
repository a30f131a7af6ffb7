# SPDX-License-Identifier: Apache-2.0
"""`ga2 trace`: the first blocks of a speculative decoding, one verifier program, causality in integers, the mask."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from ga2.cli.errors import FAILURE, UserError
from ga2.cli.files import check_outputs, check_picture, write_text
from ga2.cli.progress import steps_bar
from ga2.decoding.request import TARGETS
from ga2.isa.image import write_whole
from ga2.models.drafts import DRAFT_FORMS
from ga2.sim import SIMULATORS, tools
from ga2.spec import CONFIG_NAMES, load_config
from ga2.stimulus import StimulusError
from ga2.tracing.backends import GOLDEN, trace
from ga2.tracing.perform import PARTS, Wanted
from ga2.tracing.words import problems, text

PICTURES = (".svg", ".png")


def command(
    target: Annotated[str, typer.Option(help="structured, random or sharp")] = "random",
    target_seed: Annotated[int, typer.Option(help="seed of a random target's weights")] = 1,
    draft: Annotated[str, typer.Option(help="matmul or table")] = "table",
    k: Annotated[int, typer.Option("--k", help="guesses a block")] = 3,
    start: Annotated[int, typer.Option(help="the first token")] = 0,
    blocks: Annotated[int, typer.Option(help="blocks to trace")] = 3,
    config: Annotated[str, typer.Option(help="nano, wide, small or base")] = "nano",
    sim: Annotated[str, typer.Option(help="golden (no simulation), verilator or icarus")] = GOLDEN,
    picture: Annotated[Path | None, typer.Option("-o", metavar="FILE", help="draw the mask: .svg or .png")] = None,
    json_path: Annotated[str | None, typer.Option("--json", metavar="FILE|-", help="write the trace as JSON")] = None,
) -> None:
    """Trace blocks: guesses, choices, what is agreed and what comes free; then look into one verifier program."""
    wanted = Wanted(target, target_seed, draft, k, start, blocks)
    _check(wanted, config, sim, picture, json_path)
    try:
        with steps_bar(f"trace on {sim}", PARTS, "parts") as report:
            found = trace(config, sim, wanted, report)
    except StimulusError as error:
        raise UserError(str(error)) from None
    if json_path == "-":
        print(json.dumps(found))
    else:
        print(text(found), end="")
        if json_path is not None:
            write_text(Path(json_path), json.dumps(found, indent=1) + "\n")
    if picture is not None:
        from ga2.tracing.picture import png, svg  # matplotlib takes a second to load

        write_whole(picture, (svg if picture.suffix == ".svg" else png)(found["masks"]))
    wrong = problems(found)
    for line in wrong:
        print(f"ga2: {line}", file=sys.stderr)
    if wrong:
        raise typer.Exit(FAILURE)


def _check(wanted: Wanted, config: str, sim: str, picture: Path | None, json_path: str | None) -> None:
    """UserError or ToolMissing before anything is built or written."""
    names = (
        ("target", wanted.target, TARGETS),
        ("draft", wanted.draft, DRAFT_FORMS),
        ("configuration", config, CONFIG_NAMES),
        ("simulator", sim, (GOLDEN, *SIMULATORS)),
    )
    for what, value, choices in names:
        if value not in choices:
            raise UserError(f"unknown {what} '{value}': choose one of {', '.join(choices)}")
    try:
        wanted.check(load_config(config))
    except ValueError as error:
        raise UserError(str(error)) from None
    check_picture("-o", picture, PICTURES)
    check_outputs({"-o": picture, "--json": None if json_path in (None, "-") else Path(json_path)})
    if sim != GOLDEN:
        tools.version(sim)
