# SPDX-License-Identifier: Apache-2.0
"""The `$fatal` that ended a simulation, as the simulators write it into the log.

    Icarus      FATAL: FILE:LINE: MESSAGE
                       Time: PICOSECONDS Scope: INSTANCE
    Verilator   [PICOSECONDS] %Fatal: FILE:LINE: Assertion failed in INSTANCE: MESSAGE
"""

import re
from dataclasses import dataclass

PS_PER_NS = 1000  # every build's timescale is 1ns/1ps
_FORMS = (
    re.compile(r"^FATAL: .*?:\d+: (?P<message>.*)\n\s+Time: (?P<time>\d+) +Scope: (?P<scope>\S+)", re.MULTILINE),
    re.compile(
        r"^\[(?P<time>\d+)\] %Fatal: .*?:\d+: Assertion failed in (?P<scope>\S+): (?P<message>.*)", re.MULTILINE
    ),
)


@dataclass(frozen=True)
class Fatal:
    """What the assertion says, the instance in which it stands, and when it failed."""

    message: str
    scope: str
    time_ns: int


def fatal_in(log: str) -> Fatal | None:
    """The first `$fatal` in a simulation's log."""
    found = next(filter(None, (form.search(log) for form in _FORMS)), None)
    if found is None:
        return None
    return Fatal(found["message"].strip(), found["scope"], int(found["time"]) // PS_PER_NS)
