# SPDX-License-Identifier: Apache-2.0
"""After a failed simulation: the program that its bench has reported is located, with a waveform around the place.

`verif.locate.report` leaves the folder of each reported program in located.txt of the simulation. The first is run
again by `ga2 locate`, in a process of its own, since the locator runs simulations itself. GA2_LOCATE_AGAIN=1 asks for
that: `make test` does, a campaign that goes on behind a failure does not.
"""

import os
import subprocess
import sys
from pathlib import Path

SWITCH = "GA2_LOCATE_AGAIN"
LIMIT = 900  # seconds


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
