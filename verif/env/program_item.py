# SPDX-License-Identifier: Apache-2.0
"""The transaction of the control port: load a program, run it, and perhaps interfere."""

from dataclasses import dataclass
from enum import Enum

from cocotb.triggers import Event
from pyuvm import uvm_sequence_item

from verif.programs.case import Case
from verif.programs.program import Program


class Ending(Enum):
    """What the host does while the program runs."""

    UNDISTURBED = "undisturbed"
    ABORT = "abort"
    WATCHDOG = "watchdog"
    RESET = "reset"
    BUS_ERROR = "bus error"


@dataclass(frozen=True)
class BusError:
    """An address at which the memory answers each "read", or "write", with "slverr" or "decerr"."""

    kind: str
    address: int
    response: str


CUTS = {"abort": Ending.ABORT, "watchdog": Ending.WATCHDOG, "reset": Ending.RESET}
"""How the host ends a case of which a file says so."""
OUTSIDE = 0
"""`cycles` of a reset that somebody else brings, through the reset agent."""


class ProgramItem(uvm_sequence_item):
    """One program run. `cycles` is when an abort or a reset comes, or the watchdog's period; else unused.

    bad: where the memory answers with an error meanwhile, as the memory agent has been told. started: set by the driver
    when START has been written.
    """

    def __init__(
        self,
        program: Program,
        ending: Ending = Ending.UNDISTURBED,
        cycles: int = 0,
        bad: BusError | None = None,
    ) -> None:
        super().__init__(f"seed {program.seed}, {ending.value}" + (f" {cycles}" if cycles else ""))
        self.program = program
        self.ending = ending
        self.cycles = cycles
        self.bad = bad
        self.started = Event()

    @classmethod
    def of(cls, case: Case) -> "ProgramItem":
        """The run of a generated case."""
        return cls(case.to_program(), CUTS.get(case.end.kind, Ending.UNDISTURBED), case.end.cycles)
