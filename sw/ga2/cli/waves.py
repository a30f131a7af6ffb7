# SPDX-License-Identifier: Apache-2.0
"""`ga2 waves`: the waveform of one block of a speculative decoding, for a viewer and as a picture."""

import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ga2.cli.errors import FAILURE, UserError
from ga2.cli.progress import tokens_bar
from ga2.decoding import Request
from ga2.decoding.backends import MEMORY_BYTES
from ga2.decoding.parts import session_of
from ga2.sim import SIMULATORS, tools
from ga2.sim.build import build_root
from ga2.spec import load_config
from ga2.waves.capture import capture, up_to
from ga2.waves.expected import expected_block

if TYPE_CHECKING:
    from ga2.waves.report import Written


def command(
    block: Annotated[int, typer.Option(help="which block, from 1 up")] = 1,
    target: Annotated[str, typer.Option(help="structured, random or sharp")] = "structured",
    target_seed: Annotated[int, typer.Option(help="seed of a random target's weights")] = 1,
    draft: Annotated[str, typer.Option(help="on the chip: matmul or table; on the host: trigram or suffix")] = "matmul",
    noise: Annotated[float, typer.Option(help="standard deviation added to the draft's logits, 0 or more")] = 0.0,
    draft_seed: Annotated[int, typer.Option(help="seed of that noise")] = 1,
    k: Annotated[int, typer.Option("--k", help="guesses a block, 1 to 15")] = 3,
    start: Annotated[int, typer.Option(help="the first token, 0 to 15")] = 0,
    tokens: Annotated[int, typer.Option(help="tokens to decode after it, 1 to MAX_LEN")] = 32,
    form: Annotated[str, typer.Option(help="separate: a program a guess; block: one for the block")] = "separate",
    config: Annotated[str, typer.Option(help="nano, wide, small or base")] = "nano",
    sim: Annotated[str, typer.Option(help="icarus or verilator")] = "icarus",
    output: Annotated[Path | None, typer.Option(help="folder to write into; default build/waves")] = None,
) -> None:
    """Dump one block of a speculative decoding: waveform, GTKWave save file and timeline picture."""
    request = Request(target, target_seed, draft, noise, draft_seed, k, start, tokens, form)
    _check(request, config, sim)
    try:
        sizes = load_config(config)
        expected = expected_block(sizes, session_of(request, sizes), request, block, MEMORY_BYTES)
    except ValueError as error:
        raise UserError(str(error)) from None
    from ga2.waves.report import publish  # matplotlib takes a second, which no other command need wait

    folder = build_root() / "waves" if output is None else output
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UserError(f"cannot write into {folder}: {error.strerror}") from None
    with (
        tokens_bar(f"{sim} {config}", [up_to(request, expected)]) as progress,
        capture(config, sim, request, expected, progress) as captured,
    ):
        written = publish(captured, folder, f"{config}-{_name(request)}-block{block}-{sim}")
    _print(written)
    if written.problems:
        raise typer.Exit(FAILURE)


def _check(request: Request, config: str, sim: str) -> None:
    """UserError or ToolMissing for whatever is wrong, before anything is built or written."""
    try:
        sizes = load_config(config)
        if not 1 <= request.k < sizes.m_max:
            raise ValueError(f"k must be from 1 to {sizes.m_max - 1}, for a block to verify, not {request.k}")
        request.check(sizes)
        if sim not in SIMULATORS:
            raise ValueError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")
    except ValueError as error:
        raise UserError(str(error)) from None
    tools.version(sim)
    tools.need_dumping(sim)


def _name(request: Request) -> str:
    """Target, k and noise, and every other option that is not the default."""
    usual = asdict(Request())
    others = {
        name: value
        for name, value in asdict(request).items()
        if value != usual[name] and name not in ("target", "k", "noise")
    }
    chosen = {"k": request.k, "noise": f"{request.noise:g}"} | others
    return "-".join([request.target, *(f"{name}{value}" for name, value in chosen.items())])


def _print(written: "Written") -> None:
    for line in written.facts:
        print(line)
    print()
    for what, path in (("waveform", written.dump), ("save file", written.save_file), ("picture", written.picture)):
        print(f"{what:10} {path}")
    print(f"{'look':10} gtkwave {written.save_file}")
    for problem in written.problems:
        print(f"ga2: {problem}", file=sys.stderr)
