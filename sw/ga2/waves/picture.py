# SPDX-License-Identifier: Apache-2.0
"""A timeline of a dumped block: units as lanes, instructions as bars, and what each cycle was spent on."""

import io
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

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
ROW_CYCLES, MAX_ROWS = 220, 10  # of the verifier's program, which is drawn large
WIDTH, ROW_HEIGHT = 18.0, 2.7  # inches
FONT, DOTS_PER_INCH = 7.5, 90
INCHES_A_CHARACTER = 0.066
PLOT_SHARE = 0.92  # of the width; the rest names the lanes


def _bars(axes: Axes, at: int, spans: Sequence[Span], window: tuple[int, int], color: str, texts: bool) -> None:
    first, last = window
    for span in spans:
        left, right = max(span.first, first), min(span.last, last)
        if left >= right:
            continue
        axes.barh(at, right - left, left=left, height=0.8, color=color, edgecolor="white", linewidth=0.4)
        room = int((right - left) / (last - first) * WIDTH * PLOT_SHARE / INCHES_A_CHARACTER)
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
    axes.set_yticks(range(len(LANES) + 1), [*LANES, "cycle spent on"], fontsize=9)
    axes.set_ylim(len(LANES) + 0.6, -0.6)
    axes.set_xlim(window)
    axes.tick_params(axis="x", labelsize=9)


def picture(dump: Dump, facts: Sequence[str]) -> bytes:
    """PNG. The top row is the whole block; below it the program that ends it, the verifier's or its own, with texts."""
    end, start = dump.cycles(), dump.rises(f"{TOP}.dut.start")[-1]
    count = min(-(-(end - start) // ROW_CYCLES), MAX_ROWS)
    step = -(-(end - start) // count)
    figure = Figure(figsize=(WIDTH, ROW_HEIGHT * (count + 1) + 0.22 * len(facts)), layout="constrained")
    figure.suptitle("\n".join(facts), x=0.01, ha="left", fontsize=10, family="monospace")
    whole, *rows = figure.subplots(count + 1, 1)
    _draw(whole, dump, (0, end), texts=False)
    whole.set_title("the whole block, in cycles; dashed: START, dotted: interrupt", fontsize=10, loc="left")
    for index, axes in enumerate(rows):
        first = start + index * step
        _draw(axes, dump, (first, first + step), texts=True)
    (*_, last) = dump.spans(f"{PROBE}.program_name")
    whose = "the block's" if last.text.startswith("block ") else "the verifier's"
    rows[0].set_title(f"{whose} program", fontsize=10, loc="left")
    handles = [Patch(color=color, label=name) for name, color in SPENT.items()]
    whole.legend(handles=handles, title="a cycle is spent on", ncols=len(SPENT), fontsize=8, loc="lower right",
                 bbox_to_anchor=(1, 1), title_fontsize=8, frameon=False)
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=DOTS_PER_INCH)
    return image.getvalue()
