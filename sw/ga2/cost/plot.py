# SPDX-License-Identifier: Apache-2.0
"""The curves as a picture: a panel a configuration, a line a cache length. The same figures give the same bytes."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ga2 import panels
from ga2.cost.points import CACHES, block_sizes, curve
from ga2.spec import load_config
from ga2.svg import svg_text

COLOURS = ("#0072b2", "#d55e00", "#009e73")  # told apart by colour-blind readers too (Okabe and Ito)
MARKERS = ("o", "s", "^")
BOTTOM, TOP = 0.8, 2.6  # plain steps


def _panel(axes: Axes, name: str) -> None:
    config = load_config(name)
    sizes = block_sizes(config)
    limit = 2 * config.rows
    for height, label in ((config.rows, "ROWS"), (limit, "2 ROWS")):
        if height in sizes:
            axes.axvline(height, color="0.75", linewidth=1, zorder=0)
            axes.text(height, BOTTOM + 0.03, f"{label} ", va="bottom", ha="right", color="0.35", fontsize=8)
    axes.plot([1, TOP], [1, TOP], color="0.35", linestyle="--", linewidth=1, label="M plain steps")
    for cache, colour, marker in zip(CACHES, COLOURS, MARKERS, strict=True):
        points = curve(name, cache)
        rows = [at.rows for at in points]
        relative = [at.relative for at in points]
        axes.plot(rows, relative, color=colour, marker=marker, markersize=3.5, linewidth=1.3, label=f"cache {cache}")
    axes.set_xlim(0.5, len(sizes) + 0.5)
    axes.set_xticks([m for m in sizes if m == 1 or m % (2 if len(sizes) > 8 else 1) == 0])
    axes.set_ylim(BOTTOM, TOP)
    panels.finish(axes, name)


def figure() -> Figure:
    """All four panels."""
    return panels.figure(_panel, "M, rows of the block", "cycles of the pass / one plain step")


def svg() -> str:
    """The picture as SVG text."""
    return svg_text(figure)
