# SPDX-License-Identifier: Apache-2.0
"""Some of the deliberate breaks, played; `make breaks` plays all. The tables themselves: tests/test_breaks.py."""

import pytest

from ga2.seeded.play import play
from ga2.seeded.tables import all_breaks

PLAYED = (
    "the requantiser cuts instead of rounding",
    "a queue forgets that something waits in it",
    "read bursts without room for their records",
    "an address does not wait for ready",
)


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus"])
@pytest.mark.parametrize("name", PLAYED)
def test_a_break_is_seen_by_its_checker_and_located(name: str, sim: str) -> None:
    (broken,) = [each for each in all_breaks() if each.name == name]
    seen = play(broken, sim)
    assert not seen.problem, seen.problem
    assert broken.says and all(text in seen.report for text in broken.says)
