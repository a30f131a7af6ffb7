# SPDX-License-Identifier: Apache-2.0
"""What ends a coverage run early."""

from ga2.sim.errors import SimulationError


class StimulusFailed(SimulationError):
    """A program did not pass its checks: there is something to repair before coverage means anything."""
