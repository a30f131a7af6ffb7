# SPDX-License-Identifier: Apache-2.0
"""`ga2 locate`: run a failed program again, say where it first goes wrong, and dump the cycles around the place."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ga2.cli.errors import FAILURE, UserError
from ga2.sim import SIMULATORS, tools
from ga2.sim.sources import ROOT


def command(
    folder: Annotated[Path, typer.Argument(help="the folder of build/locate that a failed bench has named")],
    sim: Annotated[str, typer.Option(help="icarus or verilator")] = "icarus",
    waves: Annotated[bool, typer.Option(help="dump the cycles around the place")] = True,
) -> None:
    """Find the first divergence of a failed program: instruction, tensor, row, column, cycle, values, waveform."""
    if sim not in SIMULATORS:
        raise UserError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    from verif.locate.rerun import rerun

    tools.version(sim)
    if waves:
        tools.need_dumping(sim)
    try:
        found = rerun(folder.resolve(), sim, waves=waves)
    except ValueError as error:
        raise UserError(str(error)) from None
    print("\n".join(found.lines))
    for what, path in (("waveform", found.dump), ("save file", found.save_file)):
        if path is not None:
            print(f"{what:10} {path}")
    if found.save_file is not None:
        print(f"{'look':10} gtkwave {found.save_file}")
    if found.different:
        raise typer.Exit(FAILURE)
