# SPDX-License-Identifier: Apache-2.0
"""Cells of the recorded grid on the RTL; `ga2 sweep --sim` decodes all of them."""

import pytest

from ga2.sweep.grid import problems, recorded_grid, run

CELLS = {"icarus": [(3.0, 3)], "verilator": [(0.0, 1), (4.0, 3)]}  # Icarus is some twenty times slower


@pytest.mark.simulation
def test_cells_are_as_recorded(sim: str) -> None:
    rows = [row for row in recorded_grid() if (row.noise, row.k) in CELLS[sim]]
    outcomes = run("nano", sim, rows, lambda *_: None)
    assert len(outcomes) == len(CELLS[sim]) + 1
    assert problems(rows, outcomes) == []
    assert all(outcome.golden_match for outcome in outcomes)
