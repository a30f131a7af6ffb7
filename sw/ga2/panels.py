# SPDX-License-Identifier: Apache-2.0
"""Pictures with a panel a configuration, to one scale."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ga2.spec import CONFIG_NAMES, load_config


def finish(axes: Axes, name: str) -> None:
    """Title and lines of a configuration's panel."""
    config = load_config(name)
    axes.set_title(f"{name}: {config.rows} x {config.cols}, {8 * config.bus_bytes}-bit bus", fontsize=9.5)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def figure(panel: Callable[[Axes, str], None], x: str, y: str, legend: int | None = None) -> Figure:
    """All four panels, each drawn by `panel`; x, y: labels. legend: its columns, as many as it has entries by default.

    The legend is that of the first panel.
    """
    drawing = Figure(figsize=(8.4, 6.2), layout="constrained")
    grid = drawing.subplots(2, 2, sharey=True)
    for axes, name in zip(grid.flat, CONFIG_NAMES, strict=True):
        panel(axes, name)
    for axes in grid[-1]:
        axes.set_xlabel(x)
    for axes in grid[:, 0]:
        axes.set_ylabel(y)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    size = None if legend is None else 8
    columns = legend or len(labels)
    drawing.legend(handles, labels, loc="outside upper center", ncols=columns, frameon=False, fontsize=size)
    return drawing
