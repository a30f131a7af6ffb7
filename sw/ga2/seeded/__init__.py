# SPDX-License-Identifier: Apache-2.0
"""Seeded faults: known mistakes put into copies of the RTL, each of which its unit's bench must see."""

from ga2.seeded.play import Outcome, play
from ga2.seeded.table import Fault, faults_of

__all__ = ["Fault", "Outcome", "faults_of", "play"]
