# SPDX-License-Identifier: Apache-2.0
"""The tests of the pyuvm environment."""

import pyuvm

from verif.env.base_test import TIMEOUT, BaseTest
from verif.env.faulty_sequence import FaultySequence
from verif.env.interference_test import InterferenceTest
from verif.env.program_sequence import ProgramSequence


@pyuvm.test(**TIMEOUT)
class BackToBack(BaseTest):
    """Legal programs without a reset between them."""

    def sequence(self) -> ProgramSequence:
        return ProgramSequence(self.config, self.first_seed, self.programs)


@pyuvm.test(**TIMEOUT)
class PreciseFaults(BaseTest):
    """Everything older is done, nothing younger, and the next program is right."""

    def sequence(self) -> ProgramSequence:
        return FaultySequence(self.config, self.first_seed, self.programs)


@pyuvm.test(**TIMEOUT)
class Aborts(InterferenceTest):
    """CTRL.abort at a random cycle."""

    cut = "abort"


@pyuvm.test(**TIMEOUT)
class Watchdogs(InterferenceTest):
    """A watchdog period too short for any program."""

    cut = "watchdog"


@pyuvm.test(**TIMEOUT)
class Resets(InterferenceTest):
    """A reset at a random cycle."""

    cut = "reset"
