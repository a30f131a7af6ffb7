# SPDX-License-Identifier: Apache-2.0
"""`ga2 decode`: decode plainly and speculatively, and say what it cost."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from ga2.cli.errors import FAILURE, UserError
from ga2.cli.files import check_writable, write_text
from ga2.cli.progress import tokens_bar
from ga2.decoding import Outcome, Request
from ga2.decoding.backends import on_golden, on_rtl
from ga2.decoding.parts import session_of
from ga2.decoding.request import FROM_FILE, most_guesses
from ga2.models.drafts import DRAFT_FORMS
from ga2.sim import SIMULATORS, tools
from ga2.spec import load_config

BACKENDS = ("golden", "rtl")
AUTO = "auto"


def command(
    target: Annotated[str, typer.Option(help="structured, random or sharp")] = "structured",
    target_seed: Annotated[int, typer.Option(help="seed of a random target's weights")] = 1,
    draft: Annotated[
        str | None, typer.Option(help="on the chip: matmul (default) or table; on the host: trigram or suffix")
    ] = None,
    draft_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="a next-token table, JSON or YAML, that guesses on the host")
    ] = None,
    noise: Annotated[float, typer.Option(help="standard deviation added to the logits of matmul or table")] = 0.0,
    draft_seed: Annotated[int, typer.Option(help="seed of that noise")] = 1,
    k: Annotated[
        str, typer.Option("--k", metavar="N|auto", help="guesses a block; 0 decodes plainly, auto adapts k")
    ] = "3",
    start: Annotated[int, typer.Option(help="the first token")] = 0,
    tokens: Annotated[int, typer.Option(help="tokens to decode after it")] = 32,
    form: Annotated[str, typer.Option(help="separate: a program a guess; block: one for the block")] = "separate",
    end: Annotated[int | None, typer.Option(help="stop after this token")] = None,
    config: Annotated[str, typer.Option(help="nano, wide, small or base")] = "nano",
    backend: Annotated[str, typer.Option(help="golden or rtl")] = "rtl",
    sim: Annotated[str, typer.Option(help="icarus or verilator")] = "verilator",
    json_path: Annotated[str | None, typer.Option("--json", metavar="FILE|-", help="write the result as JSON")] = None,
) -> None:
    """Decode tokens plainly and speculatively and compare the two."""
    request = Request(
        target=target,
        target_seed=target_seed,
        draft=draft if draft is not None else FROM_FILE if draft_file else DRAFT_FORMS[0],
        noise=noise,
        draft_seed=draft_seed,
        start=start,
        tokens=tokens,
        form=form,
        end=end,
        draft_file=None if draft_file is None else str(draft_file.absolute()),
    )
    request = _with_k(request, k, config)
    _check(request, config, backend, sim, json_path)
    pair = [request.plainly(), request]
    with tokens_bar(f"{backend} {config}", pair) as progress:
        try:
            plain, speculative = (
                on_golden(config, pair, progress) if backend == "golden" else on_rtl(config, sim, pair, progress)
            )
        except ValueError as error:
            raise UserError(str(error)) from None
    result = summary(plain, speculative) | {
        "draft": request.draft,
        "draft_on": "host" if request.guesses_on_host else "chip",
        "k": AUTO if request.adaptive else request.k,
        "config": config,
        "backend": backend,
        "sim": sim if backend == "rtl" else None,
    }
    if json_path == "-":
        print(json.dumps(result))
    else:
        _print_table(result)
        if json_path is not None:
            write_text(Path(json_path), json.dumps(result, indent=2) + "\n")
    for name, outcome in (("plain", plain), ("speculative", speculative)):
        if outcome.difference is not None:
            print(f"ga2: {name}: differs from golden: {outcome.difference}", file=sys.stderr)
    if result["golden_match"] is False or not result["equal"]:
        raise typer.Exit(FAILURE)


def summary(plain: Outcome, speculative: Outcome) -> dict[str, Any]:
    """The two runs side by side, as the JSON object holds them."""
    matches = [plain.golden_match, speculative.golden_match]
    return {
        "tokens": speculative.tokens,
        "plain_tokens": plain.tokens,
        "equal": speculative.tokens == plain.tokens,
        "accepted": speculative.accepted,
        "proposed": speculative.proposed,
        "blocks": speculative.blocks,
        "guesses": speculative.guesses,
        "discarded": speculative.discarded,
        "programs": speculative.programs,
        "cycles": {"plain": plain.cycles, "speculative": speculative.cycles},
        "counters": {"plain": plain.counters, "speculative": speculative.counters},
        "wall": {"plain": plain.wall, "speculative": speculative.wall},
        "speedup": round(plain.cycles / speculative.cycles, 4),
        "golden_match": None if None in matches else all(matches),
    }


def _with_k(request: Request, k: str, config: str) -> Request:
    """The request with k guesses a block, or with a policy that gives at most 2 ROWS rows; UserError for another k."""
    try:
        if k == AUTO:
            return replace(request, adaptive=True, k=most_guesses(load_config(config)))
        return replace(request, k=int(k))
    except ValueError as error:
        text = str(error) if k == AUTO else f"--k takes an integer or '{AUTO}', not '{k}'"
        raise UserError(text) from None


def _check(request: Request, config: str, backend: str, sim: str, json_path: str | None) -> None:
    """UserError or ToolMissing for whatever is wrong, before anything is built or written."""
    try:
        request.check(load_config(config))
        if request.blocks(load_config(config)):
            session_of(request, load_config(config))  # says here, and not in a simulator, why a block does not fit
        if backend not in BACKENDS:
            raise ValueError(f"unknown backend '{backend}': choose one of {', '.join(BACKENDS)}")
        if sim not in SIMULATORS:
            raise ValueError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")
    except ValueError as error:
        raise UserError(str(error)) from None
    if json_path not in (None, "-"):
        check_writable(Path(json_path))
    if backend == "rtl":
        tools.version(sim)


def _print_table(result: dict[str, Any]) -> None:
    console = Console()
    console.print("tokens", " ".join(map(str, result["tokens"])))
    table = Table("", "plain", "speculative", box=None)
    table.add_row("cycles", f"{result['cycles']['plain']:,}", f"{result['cycles']['speculative']:,}")
    table.add_row("wall (with host traffic)", f"{result['wall']['plain']:,}", f"{result['wall']['speculative']:,}")
    for name, value in result["counters"]["plain"].items():
        table.add_row(name, f"{value:,}", f"{result['counters']['speculative'][name]:,}")
    console.print(table)
    if result["k"] == AUTO:
        console.print("guesses a block", " ".join(map(str, result["guesses"])))
    cost = "on the host, 0 cycles of the core" if result["draft_on"] == "host" else "on the chip"
    console.print(f"draft {result['draft']}, {cost}; {result['discarded']} tokens emitted and discarded")
    verdict = {True: "yes", False: "NO", None: "not compared"}
    console.print(
        f"accepted {result['accepted']} of {result['proposed']} in {result['blocks']} blocks, "
        f"{result['programs']} programs; speed-up {result['speedup']:.2f}; "
        f"same tokens: {verdict[result['equal']]}; equal to golden: {verdict[result['golden_match']]}"
    )
