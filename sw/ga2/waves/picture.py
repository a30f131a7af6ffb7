# SPDX-License-Identifier: Apache-2.0
"""A timeline of a dumped block: units as lanes, instructions as bars, and what each cycle was spent on."""

import io
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ga2.waves.dump import LANES, PROBE, TOP, Dump, Span

COLORS = {
    "dispatch": "#8a8fb5",
    "load": "#e89b3c",
    "matrix": "#4f9d5d",
    "vector": "#cdb53a",
    "softmax": "#a267c4",
    "store": "#4a86c5",
}
SPENT = {
    "array": COLORS["matrix"],
    "vector": COLORS["vector"],
    "load": COLORS["load"],
    "store": COLORS["store"],
    "hazard": "#c0392b",
    "dispatch": COLORS["dispatch"],
    "idle": "#d0d0d0",
}
ROWS = 4  # in which the verifier's program is drawn large
WIDTH, ROW_HEIGHT = 24.0, 2.9  # inches
FONT = 6.5
INCHES_A_CHARACTER = 0.058


def _bars(axes: Axes, at: int, spans: Sequence[Span], window: tuple[int, int], color: str, texts: bool) -> None:
    first, last = window
    for span in spans:
        left, right = max(span.first, first), min(span.last, last)
        if left >= right:
            continue
        axes.barh(at, right - left, left=left, height=0.8, color=color, edgecolor="white", linewidth=0.4)
        room = int((right - left) / (last - first) * WIDTH * 0.88 / INCHES_A_CHARACTER)
        if texts and room >= 3:
            text = span.text if len(span.text) <= room else f"{span.text[: room - 1]}…"
            axes.text((left + right) / 2, at, text, ha="center", va="center", fontsize=FONT, clip_on=True)


def _draw(axes: Axes, dump: Dump, window: tuple[int, int], texts: bool) -> None:
    for index, (lane, signal) in enumerate(LANES.items()):
        _bars(axes, index, dump.spans(f"{PROBE}.{signal}"), window, COLORS[lane.partition(":")[0]], texts)
    for span in dump.spans(f"{PROBE}.spent"):
        _bars(axes, len(LANES), [span], window, SPENT[span.text], False)
    for name, style in ((f"{TOP}.dut.start", "--"), (f"{TOP}.irq", ":")):
        for cycle in dump.rises(name):
            if window[0] <= cycle <= window[1]:
                axes.axvline(cycle, color="black", linestyle=style, linewidth=0.9)
    axes.set_yticks(range(len(LANES) + 1), [*LANES, "cycle spent on"], fontsize=8)
    axes.set_ylim(len(LANES) + 0.6, -0.6)
    axes.set_xlim(window)
    axes.tick_params(axis="x", labelsize=8)


def picture(dump: Dump, title: str) -> bytes:
    """PNG. The top row is the whole block; below it the last program, the verifier's, in four rows with texts."""
    figure = Figure(figsize=(WIDTH, ROW_HEIGHT * (ROWS + 1)), layout="constrained")
    rows = figure.subplots(ROWS + 1, 1)
    end = dump.cycles()
    start = dump.rises(f"{TOP}.dut.start")[-1]
    _draw(rows[0], dump, (0, end), texts=False)
    rows[0].set_title(f"{title}: all programs; dashed START, dotted interrupt", fontsize=10, loc="left")
    step = -(-(end - start) // ROWS)
    for index, axes in enumerate(rows[1:]):
        first = start + index * step
        _draw(axes, dump, (first, first + step), texts=True)
    rows[1].set_title("the verifier's program, in cycles since the block's first START", fontsize=10, loc="left")
    handles = [rows[0].barh(0, 0, color=color, label=name) for name, color in SPENT.items()]
    rows[0].legend(handles=handles, title="a cycle is spent on", ncols=len(SPENT), fontsize=7, loc="lower right",
                   bbox_to_anchor=(1, 1), title_fontsize=7, frameon=False)
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=80)
    return image.getvalue()
