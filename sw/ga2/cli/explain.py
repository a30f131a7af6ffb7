# SPDX-License-Identifier: Apache-2.0
"""`ga2 explain`: one program with its cycles, what each instruction waits for, its buffers, and a picture of it."""

from pathlib import Path
from typing import Annotated

import typer

from capra import AllocationError, EmitError
from capra.library import block_of_name
from ga2.cli.errors import UserError
from ga2.cli.files import check_outputs
from ga2.explain.listing import explain
from ga2.explain.subject import ExplainError, Subject, compiled, from_file
from ga2.isa.assembler import AsmError
from ga2.isa.image import ImageError, write_whole
from ga2.spec import CONFIG_NAMES
from ga2.stimulus import build_session
from ga2.timing.model import timeline


def command(
    program: Annotated[
        str, typer.Argument(help="a program of the tiny model (`target`, `draft_table`, ...) or a file: text or image")
    ],
    length: Annotated[int, typer.Option("--len", min=0, help="cache rows")] = 12,
    m: Annotated[int, typer.Option("--m", min=0, help="block rows")] = 1,
    config: Annotated[str, typer.Option(help="nano, wide, small or base; a file names its own")] = "nano",
    entry: Annotated[str | None, typer.Option(help="which program of a file that has several")] = None,
    plot: Annotated[Path | None, typer.Option(help="also draw the timeline into this PNG")] = None,
) -> None:
    """Print a program with node names, buffers, its predicted timeline and what each instruction waits for."""
    check_outputs({"--plot": plot})
    try:
        subject = _subject(program, length, m, config, entry)
        resolved = subject.resolved(length, m)
    except (ExplainError, AsmError, ImageError) as error:
        raise UserError(str(error)) from None
    line = timeline(subject.config, resolved)
    if plot is not None:
        from ga2.explain.gantt import picture  # matplotlib takes a second to load

        title = f"{subject.name} on {subject.config.name}, LEN = {length}, M = {m}"
        write_whole(plot, picture(title, line, subject.texts))
    print(explain(subject, resolved, line, length, m), end="")


def _subject(program: str, length: int, m: int, config: str, entry: str | None) -> Subject:
    path = Path(program)
    if path.is_file():
        try:
            return from_file(path, entry)
        except UnicodeDecodeError:
            raise UserError(f"{path}: neither a program image nor a text file") from None
    if path.suffix or path.name != program:
        raise UserError(f"{path}: no such file")
    if entry is not None:
        raise UserError(f"--entry chooses among the programs of a file, and {program} is none")
    if config not in CONFIG_NAMES:
        raise UserError(f"unknown configuration '{config}': choose one of {', '.join(CONFIG_NAMES)}")
    form, guesses = block_of_name(program) or ("matmul", 0)
    try:
        session = build_session(config, draft=form, blocks=[guesses] if guesses else [])
    except (AllocationError, EmitError) as error:
        raise UserError(str(error)) from None
    return compiled(session.model, program, length, m)
