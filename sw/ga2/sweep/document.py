# SPDX-License-Identifier: Apache-2.0
"""The tables of `docs/user/speculation.md`, from the golden device."""

from ga2.markdown import table
from ga2.sweep.formula import best_k, serving_speedup
from ga2.sweep.grid import Cell, costs, measured
from ga2.sweep.serving import COSTS, serving_rows

CONFIG = "nano"
ACCEPTANCES = (0.1, 0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)
DRAFT_COSTS = (0.05, 0.15, 0.4)
MOST_SERVING, MOST_CHIP = 10, 15  # guesses that are tried


def error_percent(cell: Cell) -> float:
    """By how much the prediction is off, in percent of the measurement."""
    return 100 * (cell.predicted / cell.measured - 1)


def grid_table() -> str:
    """Every cell: counts, speed-up measured and predicted, and the earlier chip's."""
    lines: list[list[object]] = []
    for cell in measured(CONFIG):
        accepted, proposed, blocks = cell.counts
        row = cell.recorded
        lines.append([f"{row.noise:g}", row.k, f"{accepted} of {proposed}", f"{100 * cell.acceptance:.0f} %", blocks,
                      f"{cell.cycles:,}", f"{cell.measured:.2f}", f"{cell.predicted:.2f}",
                      f"{error_percent(cell):+.0f} %", f"{row.speedup:.2f}"])  # fmt: skip
    header = ["noise", "k", "accepted", "acceptance", "blocks", "cycles", "speed-up", "predicted", "off by",
              "earlier chip"]  # fmt: skip
    return table(header, lines)


def grid_summary() -> str:
    """What the grid shows, in words."""
    found = measured(CONFIG)
    best = max(found, key=lambda cell: cell.measured)
    off = {name: max(abs(error_percent(cell)) for cell in part) for name, part in (
        ("high", [cell for cell in found if cell.acceptance >= 0.9]),
        ("low", [cell for cell in found if cell.acceptance < 0.9]))}  # fmt: skip
    losing = [cell for cell in found if cell.measured < 1]
    loses = f"{len(losing)} of {len(found)} cells are slower than plain decoding"
    if losing:
        worst = min(losing, key=lambda cell: cell.measured)
        loses += f", the slowest {worst.measured:.2f} times as fast ({worst.recorded.title})"
    return (
        f"The best cell is {best.recorded.title}, {best.measured:.2f} times as fast as plain decoding; {loses}. "
        f"Where at least 90 % of the guesses are accepted the formula is off by at most {off['high']:.0f} %, "
        f"elsewhere by at most {off['low']:.0f} %."
    )


def best_table() -> str:
    """The best k by acceptance: on this chip, and by the serving formula for three costs of the draft."""
    known, lines = costs(CONFIG), []
    for acceptance in ACCEPTANCES:
        k = best_k(lambda guesses: known.speedup(acceptance, guesses), MOST_CHIP)
        gain = known.speedup(acceptance, k) if k else 1.0
        serving = [best_k(lambda guesses: serving_speedup(acceptance, guesses, c), MOST_SERVING) for c in DRAFT_COSTS]
        lines.append([f"{acceptance:g}", k, f"{gain:.2f}", *serving])
    header = ["acceptance", f"best k on `{CONFIG}`", "speed-up", *(f"best k at c = {c:g}" for c in DRAFT_COSTS)]
    return table(header, lines)


def cost_line() -> str:
    """The cycles that the prediction rests on."""
    known = costs(CONFIG)
    passes = ", ".join(f"{rows} rows {known.verify(rows):,}" for rows in (2, 3, 4, 5, 6))
    return (
        f"On `{CONFIG}` a plain step takes {known.plain:,} cycles, a guess {known.draft:,} "
        f"(c = {known.draft / known.plain:.3f}), and a pass of {passes}."
    )


def serving_table() -> str:
    """The recorded serving table from the formula."""
    lines = [[f"{row.acceptance:g}", row.k, *(f"{value:.2f}" for value in row.computed)] for row in serving_rows()]
    return table(["acceptance", "k", *(f"c = {c:g}" for c in COSTS)], lines)
