# SPDX-License-Identifier: Apache-2.0
"""After a failed simulation: the program that it had under way, or that its bench has reported, is located.

A bench whose simulation a `$fatal` ends cannot report any more; `ended` does so from what it has left (UNDER_WAY, see
`verif.locate.ended`). `verif.locate.report` leaves the folder of each reported program in located.txt of the
simulation. The first is run again by `ga2 locate`, in a process of its own, since the locator runs simulations itself,
with a waveform around the place. GA2_LOCATE_AGAIN=1 asks for that: `make test` does, a campaign that goes on behind a
failure does not.
"""

import os
import subprocess
import sys
from pathlib import Path

from ga2.sim.fatal import fatal_in
from ga2.sim.sources import ROOT

SWITCH = "GA2_LOCATE_AGAIN"
LIMIT = 900  # seconds
UNDER_WAY = Path("under_way.pickle")
"""In the simulation's folder: the program that was loaded last."""


def ended(directory: Path) -> str:
    """The report of the program in which a `$fatal` ended the simulation; empty if none did, or nobody announced it."""
    fatal = fatal_in((directory / "test.log").read_text(errors="replace"))
    if fatal is None or not (directory / UNDER_WAY).is_file():
        return ""
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    from verif.locate.ended import report_ended  # beside this package, and it needs this package

    return report_ended(directory, fatal)


def follow_up(directory: Path, sim: str) -> str:
    """What the locator says, to be added to the failed run's error; empty if there is nothing to locate."""
    reported = directory / "located.txt"
    if os.environ.get(SWITCH) != "1" or not reported.is_file():
        return ""
    folder = reported.read_text().splitlines()[0]
    command = [sys.executable, "-c", "from ga2.cli.entry import main; main()", "locate", folder, "--sim", sim]
    try:
        done = subprocess.run(
            command, env=os.environ | {SWITCH: "0"}, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return f"\nlocating it again has not ended after {LIMIT} s: {' '.join(command)}"
    return f"\nplayed again alone:\n{done.stdout}{done.stderr}"
