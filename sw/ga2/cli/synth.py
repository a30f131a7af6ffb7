# SPDX-License-Identifier: Apache-2.0
"""`ga2 synth`: cells, clock and critical path on an ECP5, or gates and depth without a device."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from ga2.cli.errors import UserError
from ga2.figures import decoding_cycles
from ga2.spec import load_config
from ga2.synth import SEEDS, Generic, Measurement, folder, generic, synthesise
from ga2.synth.flow import Report, steps
from ga2.synth.measured import MEASURED, save
from ga2.synth.netlist import CELL_TYPES

DEFAULT = ("nano", "wide")
WIDTH = 110  # characters; a narrower terminal wraps whole lines


@contextmanager
def _bar(title: str, names: list[str]) -> Iterator[Report]:
    columns = (
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task(title, total=len(names))
        yield lambda step, done: bars.update(
            task, description=f"{title}: {step}", completed=names.index(step) + min(1.0, done)
        )


def _table(*headings: str) -> Table:
    table = Table(box=box.SIMPLE)
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if index else "left", no_wrap=True)
    return table


def _print(console: Console, config: str, found: Measurement) -> None:
    console.print(f"[bold]{config}[/bold] on {found.device}, routed ({folder(config)})")
    for kind, text in CELL_TYPES.items():
        console.print(f"  {found.cells[kind]:>7,}  {text} ({kind})")
    spread = ", ".join(f"seed {seed}: {mhz:.1f}" for seed, mhz in found.fmax_mhz.items())
    console.print(f"  Fmax {found.best_mhz:.1f} MHz with seed {found.seed} ({spread})")
    for title, cycles in decoding_cycles(config).items():
        console.print(f"  {title}: {cycles:,.0f} cycles a token, {found.best_mhz * 1e6 / cycles:,.0f} tokens/s")
    path = found.path
    console.print(f"  critical path {path.delay_ns} ns: logic {path.logic_ns}, routing {path.routing_ns}, "
                  f"{path.levels} levels", highlight=False)
    console.print(f"    from {path.start} ({path.start_module})\n    to   {path.end} ({path.end_module})", markup=False)
    console.print(f"    through {', '.join(path.through) or 'nothing'}", markup=False)
    table = _table("module", "share", *CELL_TYPES)
    for module, cells in found.modules.items():
        share = cells["LUT4"] / max(1, found.cells["LUT4"])
        table.add_row(module, f"{share:.1%}", *(f"{cells[kind]:,}" for kind in CELL_TYPES))
    console.print(table)


def _print_generic(console: Console, config: str, found: Generic) -> None:
    registers = sum(count for kind, count in found.cells.items() if "DFF" in kind)
    gates = sum(found.cells.values()) - registers
    console.print(f"[bold]{config}[/bold] in gates ({folder(config + '-generic')})")
    console.print(f"  {gates:>9,}  gates, the longest path has {found.depth}")
    console.print(f"  {registers:>9,}  flip-flops")
    console.print(f"  {found.memory_bits:>9,}  bits in memories")


def command(
    configs: Annotated[list[str] | None, typer.Argument(metavar="[CONFIG]...", help="default: nano and wide")] = None,
    gates: Annotated[bool, typer.Option("--generic", help="gates and depth only: no device, no routing")] = False,
    seeds: Annotated[int, typer.Option(min=1, max=20, help="placements to try, seeds 1 and up")] = len(SEEDS),
    record: Annotated[bool, typer.Option(help=f"keep the figures in {MEASURED.name}")] = True,
) -> None:
    """Synthesise the core: cells, multipliers, memories, clock, critical path, area of each module."""
    chosen = configs or list(DEFAULT)
    try:
        for config in chosen:
            load_config(config)
    except ValueError as error:
        raise UserError(str(error)) from None
    console = Console(width=WIDTH, soft_wrap=True)
    for config in chosen:
        if gates:
            with _bar(config, ["synthesis"]) as report:
                netlist = generic(config, report)
            _print_generic(console, config, netlist)
            continue
        tried = range(1, seeds + 1)
        with _bar(config, steps(tried)) as report:
            found = synthesise(config, tried, report)
        if record:
            save(config, found)
        _print(console, config, found)
    if record and not gates:
        console.print(f"recorded in {MEASURED}; `make generate` writes the tables of the documents from it")
