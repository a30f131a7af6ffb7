# SPDX-License-Identifier: Apache-2.0
"""The curves as a picture: a panel a configuration, a line a cache length. The same figures give the same bytes."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ga2.cost.points import CACHES, block_sizes, curve
from ga2.spec import CONFIG_NAMES, load_config
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
    axes.set_title(f"{name}: {config.rows} x {config.cols}, {8 * config.bus_bytes}-bit bus", fontsize=9.5)
    axes.set_xlim(0.5, len(sizes) + 0.5)
    axes.set_xticks([m for m in sizes if m == 1 or m % (2 if len(sizes) > 8 else 1) == 0])
    axes.set_ylim(BOTTOM, TOP)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def figure() -> Figure:
    """All four panels, to one scale."""
    drawing = Figure(figsize=(8.4, 6.2), layout="constrained")
    grid = drawing.subplots(2, 2, sharey=True)
    for axes, name in zip(grid.flat, CONFIG_NAMES, strict=True):
        _panel(axes, name)
    for axes in grid[-1]:
        axes.set_xlabel("M, rows of the block")
    for axes in grid[:, 0]:
        axes.set_ylabel("cycles of the pass / one plain step")
    handles, labels = grid.flat[0].get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return drawing


def svg() -> str:
    """The picture as SVG text."""
    return svg_text(figure)
