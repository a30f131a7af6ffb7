# SPDX-License-Identifier: Apache-2.0
"""Adaptive k as a picture: k over the tokens for four drafts, and the speed-up beside the best fixed k by noise."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ga2.adaptive.runs import FORMS, NOISES, TOKENS, Shown, by_noise, changing
from ga2.speculation.adaptive import SHARE
from ga2.svg import svg_text

COLOURS = {"table": "#0072b2", "matmul": "#d55e00"}  # told apart by colour-blind readers too (Okabe and Ito)


def _choices(axes: Axes, title: str, one: Shown) -> None:
    axes.step(range(len(one.guesses)), one.guesses, where="mid", color="#0072b2", linewidth=1)
    axes.set_title(f"{title}: speed-up {one.speedup:.2f}", fontsize=9)
    axes.set_ylim(-0.4, 7.6)
    axes.set_yticks([0, 1, 2, 3, 5, 7])
    axes.set_xlim(-1, len(one.guesses))
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("block", labelpad=1)


def _speed(axes: Axes) -> None:
    places = range(len(NOISES))
    for form in FORMS:
        runs = by_noise(form)
        axes.plot(places, [one.speedup for one in runs], color=COLOURS[form], marker="o", markersize=4,
                  label=f"{form}, adaptive")  # fmt: skip
        axes.plot(places, [one.best_speedup for one in runs], color=COLOURS[form], marker="_", markersize=12,
                  linestyle="none", label=f"{form}, best fixed k")  # fmt: skip
        for place, one in zip(places, runs, strict=True):
            if form == FORMS[0]:
                axes.annotate(f"k = {one.best_fixed}", (place, one.best_speedup), (0, 7), textcoords="offset points",
                              ha="center", fontsize=7.5, color="0.3")  # fmt: skip
    axes.axhline(1, color="0.5", linewidth=1)
    axes.axhline(float(SHARE), color="0.5", linewidth=1, linestyle=":", label=f"promise: {float(SHARE):g}")
    axes.set_xticks(list(places), [f"{noise:g}" for noise in NOISES])
    axes.set_xlabel("noise of the draft")
    axes.set_ylabel(f"speed-up over plain, {TOKENS} tokens")
    axes.set_ylim(0, None)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)


def figure() -> Figure:
    """Four drafts above, the noises below."""
    drawing = Figure(figsize=(8.4, 7.4), layout="constrained")
    grid = drawing.add_gridspec(3, 2, height_ratios=(1, 1, 1.7))
    table = {one.title: one for one in by_noise("table")}
    other = {one.title: one for one in changing()}
    chosen = (("noise 0, table", table["noise 0"]), ("noise 4, table", table["noise 4"]),
              *((title, other[title]) for title in ("always wrong", "right, from the middle on wrong")))  # fmt: skip
    for index, (title, one) in enumerate(chosen):
        axes = drawing.add_subplot(grid[index // 2, index % 2])
        _choices(axes, title, one)
        if index % 2 == 0:
            axes.set_ylabel("k")
    _speed(drawing.add_subplot(grid[2, :]))
    return drawing


def svg() -> str:
    """The picture as SVG text."""
    return svg_text(figure)
