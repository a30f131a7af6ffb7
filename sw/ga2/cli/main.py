# SPDX-License-Identifier: Apache-2.0
"""Entry point: the list of commands, and what every error becomes.

Exit codes: 0 success; 1 a run that failed or differed; 2 bad input or a missing tool, with one line on stderr;
130 interrupted.
"""

import os
import signal
import sys
from importlib.metadata import version
from types import FrameType
from typing import Annotated

import typer
from typer.exceptions import TyperException

from ga2.cli import (
    adaptive,
    bench,
    breaks,
    campaigns,
    compile,
    compile_speed,
    cost,
    coverage,
    decode,
    demo,
    drafts,
    exactness,
    explain,
    formal,
    fusesoc,
    locate,
    maintenance,
    mutants,
    mutate,
    programs,
    quantisation,
    random_programs,
    slices,
    speculate,
    sweep,
    synth,
    trace,
    unit_faults,
    waves,
)
from ga2.cli.errors import FAILURE, INPUT_ERROR, INTERRUPTED, UserError
from ga2.sim.errors import BuildError, SimulationError, ToolMissing
from ga2.speculation.chip import DecodeError

app = typer.Typer(
    name="ga2",
    help="GA2: an int8 transformer inference core, simulated, with its golden model beside it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("decode")(decode.command)
app.command("demo")(demo.command)
app.command("bench")(bench.command)
app.command("waves")(waves.command)
app.command("exactness")(exactness.command)
app.command("trace")(trace.command)
app.command("sweep")(sweep.command)
app.command("speculate")(speculate.command)
app.command("verifier-cost")(cost.command)
app.command("drafts")(drafts.command)
app.command("adaptive-k")(adaptive.command)
app.command("quantisation")(quantisation.command)
app.command("asm")(programs.asm)
app.command("disasm")(programs.disasm)
app.command("compile")(compile.command)
app.command("compile-speed")(compile_speed.command)
app.command("explain")(explain.command)
app.command("faults")(campaigns.faults)
app.command("stalls")(campaigns.stalls)
app.command("random")(random_programs.random)
app.command("replay")(random_programs.replay)
app.command("coverage")(coverage.command)
app.command("slices")(slices.command)
app.command("unit-faults")(unit_faults.command)
app.command("breaks")(breaks.command)
app.command("mutants")(mutants.command)
app.command("mutate")(mutate.command)
app.command("locate")(locate.command)
app.command("formal")(formal.command)
app.command("fusesoc")(fusesoc.command)
app.command("generate")(maintenance.generate)
app.command("lint")(maintenance.lint)
app.command("synth")(synth.command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"ga2 {version('ga2')}")
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _run() -> int:
    try:
        code = int(app(standalone_mode=False) or 0)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except (UserError, ToolMissing, TyperException) as error:
        text = error.format_message() if isinstance(error, TyperException) else str(error)
        if text.strip():  # `ga2` alone prints its help and says no more
            print("ga2:", " ".join(text.split()), file=sys.stderr)
        return INPUT_ERROR
    except (BuildError, SimulationError, DecodeError) as error:
        print(f"ga2: {error}", file=sys.stderr)
        return FAILURE
    except OSError as error:  # a full disk, a build directory that cannot be made; a reader that has gone is no news
        if not isinstance(error, BrokenPipeError):
            print(f"ga2: {error}", file=sys.stderr)
        if sys.stdout is not None:  # Python flushes once more at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE


def main() -> None:
    """Run the command line; a termination request counts as an interrupt, so that children end with us.

    A closed terminal is one too, unless `nohup` has said otherwise.
    """
    signal.signal(signal.SIGTERM, _terminate)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _terminate)
    sys.exit(_run())
