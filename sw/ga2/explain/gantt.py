# SPDX-License-Identifier: Apache-2.0
"""The predicted timeline as a picture: units as lanes, instructions as bars.

A unit takes an instruction in while it still works on former ones: a bar begins where the former one ends.
"""

import io
from collections.abc import Iterator, Mapping

from matplotlib.figure import Figure

from ga2.timing.model import Timeline
from ga2.waves.picture import COLORS

LANES = ("load", "matrix", "vector", "softmax", "store")
WIDTH, LANE_HEIGHT = 18.0, 0.6  # inches
CYCLES_A_ROW = 240
CHARACTERS_A_ROW = 260
FONT, DOTS_PER_INCH = 7, 100


def _bars(line: Timeline, texts: Mapping[int, str]) -> Iterator[tuple[int, int, int, str]]:
    """Lane, first and last cycle, and text of every bar."""
    former = dict.fromkeys(LANES, 0)
    for event in line.events:
        if not event.resolved.no_op:
            begin, former[event.unit] = max(event.start, former[event.unit]), event.end
            text = texts.get(event.resolved.pc, event.resolved.instruction.op)
            yield LANES.index(event.unit), begin, event.end, f"{event.resolved.pc} {text}"


def picture(title: str, line: Timeline, texts: Mapping[int, str]) -> bytes:
    """PNG: as many rows as the program is long, each some cycles wide."""
    count = max(1, -(-line.finish // CYCLES_A_ROW))
    step = -(-line.finish // count)
    figure = Figure(figsize=(WIDTH, (len(LANES) + 1.2) * LANE_HEIGHT * count + 0.6), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    for row, axes in enumerate(figure.subplots(count, 1, squeeze=False)[:, 0]):
        first = row * step
        for at, left, right, text in _bars(line, texts):
            left, right = max(left, first), min(right, first + step)
            if left >= right:
                continue
            axes.barh(at, right - left, left=left, color=COLORS[LANES[at]], edgecolor="white", linewidth=0.5)
            room = int((right - left) / step * CHARACTERS_A_ROW)
            shown = text if len(text) <= room else text[:room]
            axes.text((left + right) / 2, at, shown, ha="center", va="center", fontsize=FONT, clip_on=True)
        axes.set_yticks(range(len(LANES)), LANES)
        axes.set_ylim(len(LANES) - 0.4, -0.6)
        axes.set_xlim(first, first + step)
    axes.set_xlabel("cycle, from START")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DOTS_PER_INCH)
    return buffer.getvalue()
