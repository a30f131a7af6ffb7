# SPDX-License-Identifier: Apache-2.0
"""The base of the tests in which the host interferes."""

from verif.env.base_test import BaseTest
from verif.env.interference_sequence import InterferenceSequence
from verif.env.program_sequence import ProgramSequence
from verif.programs.generator_settings import Ending


class InterferenceTest(BaseTest):
    """A test names its `cut`; it must have ended at least one program."""

    cut: Ending

    def sequence(self) -> ProgramSequence:
        """Interference at random times."""
        return InterferenceSequence(self.config, self.first_seed, self.programs, self.cut)

    def problems(self) -> list[str]:
        """That nothing was cut short, besides."""
        count = self.environment.retirements.cut_short
        return super().problems() + ([] if count else [f"{self.cut}: no program was cut short"])
