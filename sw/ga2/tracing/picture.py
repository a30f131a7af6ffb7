# SPDX-License-Identifier: Apache-2.0
"""The causal mask, rows by keys, as the core's softmax unit wrote it: a panel for each M and LEN."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ga2.svg import svg_text

DOTS_PER_INCH = 150
CELL, MARGIN = 0.3, 1.3  # inches
UNSEEN = "0.85"
DARK = 150  # a byte from which on its cell is dark


def _panel(axes: Axes, mask: Mapping[str, Any]) -> None:
    m, length, seen = mask["m"], mask["length"], mask["seen"]
    attention = np.array(mask["bytes"], dtype=float)
    hidden = np.arange(length + m) >= np.array(seen)[:, np.newaxis]
    axes.set_facecolor(UNSEEN)
    axes.imshow(np.ma.masked_array(attention, hidden), cmap="Blues", vmin=-40, vmax=255, aspect="equal")
    for row in range(m):
        for key in range(seen[row]):
            value = int(attention[row, key])
            ink = "white" if value > DARK else "black"
            axes.text(key, row, str(value), ha="center", va="center", fontsize=5.5, color=ink)
    axes.axvline(length - 0.5, color="#d55e00", linewidth=1.4)
    axes.set_xticks(range(0, length + m, max(1, (length + m) // 8)))
    axes.set_yticks(range(m))
    axes.set_title(f"M = {m}, LEN = {length}", fontsize=9)
    axes.set_xlabel("key")
    axes.set_ylabel("row")


def figure(masks: Sequence[Mapping[str, Any]]) -> Figure:
    """Side by side; grey is never seen, left of the line is the cache, a number is the exponential's byte."""
    widths = [max(2, mask["length"] + mask["m"]) for mask in masks]
    tallest = max(mask["m"] for mask in masks)
    size = (CELL * sum(widths) + MARGIN * len(masks), CELL * tallest + MARGIN + 0.4)
    drawing = Figure(figsize=size, layout="constrained")
    title = "What each row of a block sees: bytes of the softmax unit; grey is masked, the line ends the cache"
    drawing.suptitle(title, fontsize=9)
    grid = drawing.subplots(1, len(masks), width_ratios=widths, squeeze=False)
    for axes, mask in zip(grid[0], masks, strict=True):
        _panel(axes, mask)
    return drawing


def svg(masks: Sequence[Mapping[str, Any]]) -> bytes:
    """The picture as SVG."""
    return svg_text(lambda: figure(masks)).encode()


def png(masks: Sequence[Mapping[str, Any]]) -> bytes:
    """The picture as PNG."""
    data = io.BytesIO()
    figure(masks).savefig(data, format="png", dpi=DOTS_PER_INCH)
    return data.getvalue()
