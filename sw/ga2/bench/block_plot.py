# SPDX-License-Identifier: Apache-2.0
"""The speed-up of both forms as a picture: a panel a configuration, a colour a noise, dashes for separate programs."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ga2 import panels
from ga2.bench.blocks import NOISES, SIZES, compared
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
    axes.axhline(1, color="0.35", linewidth=1, zorder=0)
    axes.set_xticks(SIZES)
    panels.finish(axes, name)


def figure() -> Figure:
    """All four panels."""
    return panels.figure(_panel, "k, guesses a block", "speed-up over plain decoding", legend=3)


def svg() -> str:
    """The picture as SVG text."""
    return svg_text(figure)
