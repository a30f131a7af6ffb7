# SPDX-License-Identifier: Apache-2.0
"""`ga2 compile`: a graph through Capra's passes, to an image, to assembly text, or to the text of any pass."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from capra.compile import CompiledModel, assembled
from capra.dump import dump
from capra.passes import PASSES, UnknownPass, check_names, run_passes
from capra.verify import VerifyError
from capra.work import Unit, Work
from ga2.cli.errors import FAILURE, UserError
from ga2.cli.files import check_outputs
from ga2.compiling.source import SourceError, source
from ga2.isa.disassembler import disassemble
from ga2.isa.image import ImageError, write_whole
from ga2.slices.subject import Refused

BAD_INPUT: tuple[type[Exception], ...] = (UnknownPass, SourceError, ImageError, *Refused)


def command(
    graph: Annotated[
        str,
        typer.Argument(help="a program of the tiny model (`target`, `draft_table`, ..., `model` for all), or a file"),
    ],
    config: Annotated[str | None, typer.Option(help="nano, wide, small or base; else a file's own, or nano")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the image to write")] = None,
    asm: Annotated[Path | None, typer.Option(help="the assembly text to write")] = None,
    dump_after: Annotated[
        list[str] | None, typer.Option("--dump", help=f"print what a pass made: {', '.join(p.name for p in PASSES)}")
    ] = None,
    causal: Annotated[bool, typer.Option(help="make causal blocks of attention over prefix slices")] = True,
    target: Annotated[str, typer.Option(help="the tiny model: structured, random or sharp")] = "structured",
) -> None:
    """Compile a graph: write the program, print any stage of it, or say what it takes."""
    check_outputs({"--output": output, "--asm": asm})
    wanted = dump_after or []
    texts: dict[str, str] = {}
    try:
        check_names(wanted)
        found = source(graph, config, target)
        options = replace(found.options, causal=found.options.causal and causal)
        work = Work(found.config, found.ranges, tuple(map(Unit, found.graphs)), options)
        whole = bool(output or asm or not wanted)
        for each, made in run_passes(work):
            work = made
            if each.name in wanted:
                texts[each.name] = dump(each.name, each.summary, work)
            if not whole and len(texts) == len(set(wanted)):
                break
        model = assembled(work) if whole else None
        if model is not None:
            _write(model, output, asm)
    except BAD_INPUT as error:
        raise UserError(str(error)) from None
    except VerifyError as error:
        print(f"ga2: a mistake in the compiler, and none of the graph: {error}", file=sys.stderr)
        raise typer.Exit(FAILURE) from None
    except OSError as error:
        raise UserError(f"{error.filename}: {error.strerror}") from None
    print(*texts.values(), sep="\n", end="")
    if model is not None and not wanted:
        print(_summary(model))


def _write(model: CompiledModel, output: Path | None, asm: Path | None) -> None:
    if output is not None:
        model.image.save(output)
    if asm is not None:
        write_whole(asm, disassemble(model.image).encode())


def _summary(model: CompiledModel) -> str:
    """What the programs take of the core's memories and of external memory."""
    config, image = model.config, model.image
    lines = [
        f"{config.name}: {len(image.instructions)} of {config.imem_depth} instructions, "
        f"{len(image.constants)} of {config.cmem_depth} constants"
    ]
    for program in model.programs.values():
        ends = (program.addresses[name] + buffer.words(config.max_len, config.m_max)
                for name, buffer in program.buffers.items())  # fmt: skip
        lines.append(f"  {program.name}: entry {program.entry}, {len(program.instructions)} instructions, "
                     f"scratchpad to word {max(ends, default=0)} of {config.spad_words}")  # fmt: skip
    for what, window in zip(("weights", "caches", "inputs", "outputs"), model.windows, strict=True):
        lines.append(f"  {what}: {window.size} bytes from 0x{window.base:x}")
    return "\n".join(lines)
