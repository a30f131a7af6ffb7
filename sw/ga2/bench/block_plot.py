# SPDX-License-Identifier: Apache-2.0
"""The speed-up of both forms as a picture: a panel a configuration, a colour a noise, dashes for separate programs."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ga2.bench.blocks import NOISES, SIZES, compared
from ga2.spec import CONFIG_NAMES, load_config
from ga2.svg import svg_text

COLOURS = ("#0072b2", "#009e73", "#d55e00")  # told apart by colour-blind readers too (Okabe and Ito)
MARKERS = ("o", "s", "^")


def _panel(axes: Axes, name: str) -> None:
    for noise, colour, marker in zip(NOISES, COLOURS, MARKERS, strict=True):
        points = [compared(name, noise, size) for size in SIZES]
        for form, style, face in (("block", "-", colour), ("separate", "--", "white")):
            label = f"noise {noise:g}, {'a program a block' if form == 'block' else 'separate programs'}"
            speedups = [one.speedup(getattr(one, form)) for one in points]
            axes.plot(SIZES, speedups, label=label, color=colour, linestyle=style, linewidth=1.4, marker=marker,
                      markersize=4, markerfacecolor=face)  # fmt: skip
    config = load_config(name)
    axes.axhline(1, color="0.35", linewidth=1, zorder=0)
    axes.set_title(f"{name}: {config.rows} x {config.cols}, {8 * config.bus_bytes}-bit bus", fontsize=9.5)
    axes.set_xticks(SIZES)
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
        axes.set_xlabel("k, guesses a block")
    for axes in grid[:, 0]:
        axes.set_ylabel("speed-up over plain decoding")
    handles, labels = grid.flat[0].get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    return drawing


def svg() -> str:
    """The picture as SVG text."""
    return svg_text(figure)
