# SPDX-License-Identifier: Apache-2.0
"""Speed-up by k as a picture: a panel a target, a colour a draft, the formula dashed beside each measurement."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ga2.drafts.document import place
from ga2.drafts.runs import DRAFTS, GUESSES, TARGETS, compared
from ga2.svg import svg_text

COLOURS = ("#0072b2", "#56b4e9", "#d55e00", "#009e73")  # told apart by colour-blind readers too (Okabe and Ito)
MARKERS = ("o", "s", "^", "D")


def figure() -> Figure:
    """Five panels to one scale, the key in the sixth."""
    drawing = Figure(figsize=(8.4, 5.4), layout="constrained")
    grid = drawing.subplots(2, 3, sharex=True, sharey=True)
    for axes, (target, seed) in zip(grid.flat, TARGETS, strict=False):
        axes.axhline(1, color="0.6", linewidth=1)
        for draft, colour, marker in zip(DRAFTS, COLOURS, MARKERS, strict=True):
            points = compared(target, seed, draft).points
            axes.plot(GUESSES, [at.speedup for at in points], color=colour, marker=marker, markersize=3.5,
                      linewidth=1.3)  # fmt: skip
            axes.plot(GUESSES, [at.predicted for at in points], color=colour, linestyle=":", linewidth=1.1)
        axes.set_title(f"{target} {seed}", fontsize=9.5)
        axes.set_xticks(list(GUESSES))
        axes.grid(axis="y", color="0.9", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in grid[:, 0]:
        axes.set_ylabel("speed-up over plain")
    for axes in (*grid[1, :2], grid[0, 2]):
        axes.set_xlabel("k, guesses a block")
        axes.tick_params(labelbottom=True)
    key = [Line2D([], [], color=colour, marker=marker, markersize=3.5, label=place(draft))
           for draft, colour, marker in zip(DRAFTS, COLOURS, MARKERS, strict=True)]  # fmt: skip
    key += [Line2D([], [], color="0.3", label="measured"), Line2D([], [], color="0.3", linestyle=":", label="formula")]
    grid[1, 2].axis("off")
    grid[1, 2].legend(handles=key, loc="center", frameon=False)
    return drawing


def svg() -> str:
    """The picture as SVG text."""
    return svg_text(figure)
