# SPDX-License-Identifier: Apache-2.0
"""The curves as text: the manual's tables and a CSV file of every point."""

import csv
import io

from ga2.cost.points import CACHES, Point, block_sizes, curve, point, predicted
from ga2.markdown import table
from ga2.spec import CONFIG_NAMES, load_config

HEADER = ("configuration", "cache_rows", "block_rows", "cycles", "plain_steps_cycles", "over_one_step", "saving")


def csv_row(at: Point) -> list[object]:
    """One line of the CSV file."""
    return [at.config, at.cache, at.rows, at.cycles, at.steps, f"{at.relative:.3f}", f"{at.saving:.3f}"]


def csv_text(configs: tuple[str, ...] = CONFIG_NAMES) -> str:
    """Every point of every curve."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(csv_row(at) for config in configs for cache in CACHES for at in curve(config, cache))
    return text.getvalue()


def _cell(config: str, cache: int, rows: int) -> str:
    if rows not in block_sizes(load_config(config)):
        return "-"
    at = point(config, cache, rows)
    return f"{at.cycles:,} ({at.relative:.2f})"


def cost_table() -> str:
    """Cycles, and in brackets how many plain steps that is, at the block sizes that matter."""
    lines: list[list[object]] = []
    for config in CONFIG_NAMES:
        rows = load_config(config).rows
        for cache in CACHES:
            cells = [_cell(config, cache, m) for m in (rows // 2, rows, rows + 1, 2 * rows)]
            lines.append([f"`{config}`", rows, cache, f"{point(config, cache, 1).cycles:,}", *cells])
    header = ["configuration", "ROWS", "cache", "plain step", "M = ROWS / 2", "M = ROWS", "M = ROWS + 1", "M = 2 ROWS"]
    return table(header, lines)


def step_table() -> str:
    """What grows from M = 1 to ROWS to ROWS + 1: busy and stepping cycles of the pass, on the middle cache."""
    cache, names = CACHES[1], ("total", "part_array", "softmax", "read_beats")
    lines: list[list[object]] = []
    for config in CONFIG_NAMES:
        rows = load_config(config).rows
        for m in (m for m in (1, rows, rows + 1) if m in block_sizes(load_config(config))):
            seen = predicted(config, cache, m)
            lines.append([f"`{config}`", m, *(f"{seen[name]:,}" for name in names)])
    return table(["configuration", "M", "cycles", "array stepping", "softmax busy", "read beats"], lines)
