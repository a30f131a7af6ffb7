# SPDX-License-Identifier: Apache-2.0
"""The retirement trace as `verif/tb/ga2_hostile_tb.sv` writes it: no Python task wakes up in every cycle."""

from dataclasses import dataclass
from pathlib import Path

from ga2.device.rtl import CLOCK_NS
from verif.env.retire_monitor import FAULTS, OPS, UNITS
from verif.env.retirement import Retirement

PATH = Path("trace.txt")


@dataclass(frozen=True)
class Shown:
    """One record of the trace and the cycle in which it was shown."""

    cycle: int
    record: Retirement


def _shown(line: str) -> Shown:
    """ValueError for a line with an x."""
    time, seq, pc, opcode, unit, low, high, fault = map(int, line.split())
    record = Retirement(
        seq,
        pc,
        OPS.get(opcode, hex(opcode)),
        UNITS.get(unit, hex(unit)),
        (low, high),
        FAULTS.get(fault, hex(fault)),
    )
    return Shown(time // CLOCK_NS - 1, record)  # the edge that samples a cycle ends it


class TraceFile:
    """Reads the trace of one program at a time."""

    def __init__(self) -> None:
        self._start = 0

    def begin(self) -> None:
        """What follows belongs to the next program."""
        self._start = PATH.stat().st_size

    def records(self) -> list[Shown]:
        """All records since `begin`."""
        with PATH.open() as file:
            file.seek(self._start)
            return [_shown(line) for line in file]
