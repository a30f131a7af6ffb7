# SPDX-License-Identifier: Apache-2.0
"""What the golden and timing models say of a program before the core runs it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ga2.device.compare import Contents
from ga2.device.protocol import FaultReport, RunResult
from ga2.golden.interpreter import Outcome, Retired
from verif.env.bus_transfer import BusBurst
from verif.env.program_item import ProgramItem
from verif.env.retirement import Retirement


@dataclass(frozen=True)
class Prediction:
    """The program run undisturbed: trace, fault and counters, contents at its end, and who wrote what.

    reads: the bursts of the image's LOAD, then of the program; writes: the bytes of each write burst by its address.
    fault: the imprecise one that the item's bus error must cause instead of the end.
    """

    item: ProgramItem
    trace: Sequence[Retirement]
    result: RunResult
    contents: Contents
    retired: Sequence[Retired]
    outcome: Outcome | None = None
    reads: Sequence[BusBurst] = ()
    writes: Sequence[tuple[int, bytes]] = ()
    fault: FaultReport | None = None
