# SPDX-License-Identifier: Apache-2.0
"""The recorded serving table: E / (1 + k c) by acceptance, k and the draft's relative cost."""

import csv
from dataclasses import dataclass

from ga2.spec import SPEC_DIR
from ga2.sweep.formula import serving_speedup

SERVING = SPEC_DIR / "recorded" / "serving_speedup.csv"
COSTS = (0.01, 0.05, 0.15)


@dataclass(frozen=True)
class Row:
    """Speed-ups by cost of the draft, as recorded, to two decimals."""

    acceptance: float
    k: int
    recorded: tuple[float, ...]

    @property
    def computed(self) -> tuple[float, ...]:
        """The same from the formula."""
        return tuple(round(serving_speedup(self.acceptance, self.k, c), 2) for c in COSTS)


def serving_rows() -> list[Row]:
    """The recorded rows."""
    with SERVING.open(newline="") as file:
        return [
            Row(float(row["acceptance"]), int(row["k"]), tuple(float(row[f"c_{c}"]) for c in COSTS))
            for row in csv.DictReader(file)
        ]


def problems() -> list[str]:
    """Rows that the formula does not give."""
    return [f"acceptance {row.acceptance}, k = {row.k}: {row.computed}, recorded {row.recorded}"
            for row in serving_rows() if row.computed != row.recorded]  # fmt: skip
