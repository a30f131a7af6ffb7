# SPDX-License-Identifier: Apache-2.0
"""The base of the tests in which the host interferes."""

from verif.env.base_test import BaseTest
from verif.env.interference_sequence import InterferenceSequence
from verif.env.program_item import Ending
from verif.env.program_sequence import ProgramSequence


class InterferenceTest(BaseTest):
    """A test names its `ending`; it must have ended at least one program."""

    ending: Ending

    def sequence(self) -> ProgramSequence:
        """Interference at random times."""
        return InterferenceSequence(self.config, self.first_seed, self.programs, self.ending)

    def problems(self) -> list[str]:
        """That nothing was cut short, besides."""
        cut = self.environment.retirements.cut_short
        return super().problems() + ([] if cut else [f"{self.ending.value}: no program was cut short"])
