# SPDX-License-Identifier: Apache-2.0
"""What became of a program on the core."""

from dataclasses import dataclass

from ga2.device.compare import Contents
from ga2.device.protocol import RunResult
from verif.core.hostile_device import Held
from verif.core.stall_profile import Profile
from verif.env.program_item import OUTSIDE, Ending, ProgramItem
from verif.env.settings import Settings
from verif.locate.failed_program import FailedProgram
from verif.programs.case import CUT, End


@dataclass(frozen=True)
class ProgramRun:
    """The item, what the core reported (None if a reset ended the program), and all that it holds afterwards.

    held: cycles that the memory held back meanwhile, and profile its manner at the end, if it can wait.
    """

    item: ProgramItem
    result: RunResult | None
    contents: Contents
    held: Held | None = None
    profile: Profile | None = None

    @property
    def cut_short(self) -> bool:
        """Whether the host's interference ended it: then only some of its effects are defined."""
        if self.item.ending is Ending.UNDISTURBED:
            return False
        if self.result is None:
            return True
        fault = self.result.fault
        if fault is not None and self.item.ending is Ending.BUS_ERROR:
            return fault.name.startswith(("read_", "write_"))
        return fault is not None and fault.name == self.item.ending.value


def failed_program(settings: Settings, item: ProgramItem, profile: Profile | None) -> FailedProgram:
    """An item as the locator plays it again."""
    again = item.ending.value in CUT and item.cycles != OUTSIDE  # of a reset from outside nobody knows when
    end = End.model_validate({"kind": item.ending.value, "cycles": item.cycles}) if again else End()
    return FailedProgram(settings.config, item.program, profile=profile, watchdog=settings.patience, end=end)
