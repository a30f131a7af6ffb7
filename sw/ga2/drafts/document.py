# SPDX-License-Identifier: Apache-2.0
"""The comparison as text: the manual's tables and a CSV file of every run."""

import csv
import io

from ga2.drafts.runs import DRAFTS, GUESSES, TARGETS, compared, everything
from ga2.markdown import table
from ga2.models.host_drafts import HOST_DRAFTS

HEADER = ("target", "seed", "draft", "k", "accepted", "proposed", "blocks", "cycles", "speedup", "predicted_speedup")


def place(draft: str) -> str:
    """Where a draft guesses, beside its name."""
    return f"{draft} (host)" if draft in HOST_DRAFTS else f"{draft} (chip)"


def csv_text() -> str:
    """Every run."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for one in everything():
        for point in one.points:
            writer.writerow([one.target, one.seed, one.draft, point.k, point.accepted, point.proposed, point.blocks,
                             point.cycles, f"{point.speedup:.3f}", f"{point.predicted:.3f}"])  # fmt: skip
    return text.getvalue()


def best_rows() -> list[list[object]]:
    """For each draft on each target: the best k by measurement and by the formula."""
    rows: list[list[object]] = []
    for one in everything():
        best, guess = one.measured_best, one.predicted_best
        regret = 1 - one.points[guess.k - 1].speedup / best.speedup
        rows.append([one.title, place(one.draft), f"{100 * one.chance:.0f} %", best.k, f"{best.speedup:.2f}", guess.k,
                     f"{guess.predicted:.2f}", f"{100 * regret:.0f} %"])  # fmt: skip
    return rows


BEST_HEADER = ("target", "draft", "right one by one", "best k", "speed-up", "formula's k", "its speed-up",
               "lost by its k")  # fmt: skip


def best_table() -> str:
    """The best k of every draft on every target."""
    return table(BEST_HEADER, best_rows())


def counts_table() -> str:
    """Accepted of proposed guesses, and blocks, for every k; the two forms on the chip guess alike."""
    rows: list[list[object]] = []
    for target, seed in TARGETS:
        for draft in DRAFTS[1:]:
            one = compared(target, seed, draft)
            name = "bigram (chip)" if draft == "table" else place(draft)
            cells = [f"{point.accepted}/{point.proposed} in {point.blocks}" for point in one.points]
            rows.append([one.title, name, *cells])
    return table(["target", "draft", *(f"k = {k}" for k in GUESSES)], rows)
