# SPDX-License-Identifier: Apache-2.0
"""The grid as pictures: speed-up by k, predicted against measured, and the best k by acceptance."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ga2.svg import svg_text
from ga2.sweep.document import CONFIG, DRAFT_COSTS, MOST_CHIP, MOST_SERVING
from ga2.sweep.formula import best_k, serving_speedup
from ga2.sweep.grid import Cell, costs, measured

COLOURS = ("#0072b2", "#009e73", "#e69f00", "#d55e00", "#cc79a7")  # Okabe and Ito
MARKERS = ("o", "s", "^", "D", "v")
STEPS = 101  # acceptances on the axis


def _plain(axes: Axes) -> None:
    axes.grid(color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _by_noise(cells: Sequence[Cell]) -> dict[float, list[Cell]]:
    found: dict[float, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell.recorded.noise, []).append(cell)
    return found


def grid_figure(title: str, cells: Sequence[Cell]) -> Figure:
    """Left: speed-up by k, a line a noise, the formula dashed. Right: predicted against measured."""
    drawing = Figure(figsize=(8.4, 3.9), layout="constrained")
    left, right = drawing.subplots(1, 2)
    drawing.suptitle(title, fontsize=10)
    for (noise, line), colour, marker in zip(_by_noise(cells).items(), COLOURS, MARKERS, strict=False):
        ks = [cell.recorded.k for cell in line]
        left.plot(ks, [cell.measured for cell in line], color=colour, marker=marker, markersize=4.5,
                  label=f"noise {noise:g}")  # fmt: skip
        left.plot(ks, [cell.predicted for cell in line], color=colour, linestyle=":", linewidth=1)
        right.scatter([cell.measured for cell in line], [cell.predicted for cell in line], color=colour, marker=marker,
                      s=22, label=f"noise {noise:g}")  # fmt: skip
        for cell in line:
            right.annotate(f"{cell.recorded.k}", (cell.measured, cell.predicted), xytext=(4, -7),
                           textcoords="offset points", fontsize=6.5, color="0.35")  # fmt: skip
    left.axhline(1, color="0.35", linestyle="--", linewidth=1)
    left.set_xlabel("k, guesses a block")
    left.set_ylabel("speed-up over plain decoding")
    left.set_xticks(sorted({cell.recorded.k for cell in cells}))
    left.set_title("measured (solid), predicted (dotted)", fontsize=9)
    top = 1.05 * max(max(cell.measured, cell.predicted) for cell in cells)
    right.plot([0, top], [0, top], color="0.35", linestyle="--", linewidth=1)
    right.set_xlim(0, top)
    right.set_ylim(0, top)
    right.set_aspect("equal")
    right.set_xlabel("measured speed-up")
    right.set_ylabel("predicted speed-up")
    right.set_title("each cell with its k", fontsize=9)
    for axes in (left, right):
        _plain(axes)
    handles, labels = left.get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return drawing


def best_figure(config: str) -> Figure:
    """The best k by acceptance: on the chip, and by the serving formula."""
    drawing = Figure(figsize=(8.4, 3.2), layout="constrained")
    axes = drawing.subplots()
    known = costs(config)
    shares = [step / (STEPS - 1) for step in range(STEPS)]
    axes.step(shares, [best_k(lambda k: known.speedup(a, k), MOST_CHIP) for a in shares], where="mid", color="black",
              linewidth=1.6, label=f"{config}, {known.draft / known.plain:.2f} of a step a guess")  # fmt: skip
    for c, colour in zip(DRAFT_COSTS, COLOURS, strict=False):
        best = [best_k(lambda k: serving_speedup(a, k, c), MOST_SERVING) for a in shares]
        axes.step(shares, best, where="mid", color=colour, linewidth=1.1, label=f"c = {c:g}, k up to {MOST_SERVING}")
    axes.set_xlabel("acceptance of a guess")
    axes.set_ylabel("best k (0: plain decoding)")
    axes.legend(frameon=False)
    _plain(axes)
    return drawing


def grid_svg(title: str, cells: Sequence[Cell]) -> str:
    """The grid's picture of some cells."""
    return svg_text(lambda: grid_figure(title, cells))


def grid_page() -> str:
    """The grid's picture of the manual."""
    return grid_svg(f"{CONFIG}: 32 tokens of the structured target", measured(CONFIG))


def best_page() -> str:
    """The picture of the best k of the manual."""
    return svg_text(lambda: best_figure(CONFIG))
