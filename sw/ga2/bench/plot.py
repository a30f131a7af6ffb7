# SPDX-License-Identifier: Apache-2.0
"""Where the cycles of a token go, as a picture: a stacked bar a configuration and decoding, its bounds as marks."""

from matplotlib.figure import Figure

from ga2.bench.predict import spent
from ga2.bench.tables import PARTITION, TITLES, committed, part_title
from ga2.spec import CONFIG_NAMES, load_config
from ga2.svg import svg_text

DECODED = ("plain", "speculative")
COLOURS = ("#0072b2", "#56b4e9", "#e69f00", "#f0e442", "#d55e00", "#cc79a7", "#999999")  # Okabe and Ito, grey
HEIGHT, GAP = 0.8, 0.5


def figure() -> Figure:
    """Two bars a configuration, plain above speculative, all to one scale."""
    drawing = Figure(figsize=(8.4, 4.6), layout="constrained")
    axes = drawing.subplots()
    ticks: list[tuple[float, str]] = []
    for index, config in enumerate(CONFIG_NAMES):
        for offset, task in enumerate(DECODED):
            at = index * (len(DECODED) + GAP) + offset
            used, tokens = spent(config, task), committed(task)
            left = 0.0
            for counter, colour in zip(PARTITION, COLOURS, strict=True):
                width = used.counters[counter] / tokens
                label = part_title(counter) if not ticks else None
                axes.barh(at, width, HEIGHT, left=left, color=colour, edgecolor="white", linewidth=0.4, label=label)
                left += width
            axes.text(left + 6, at, f"{left:,.0f}", va="center", fontsize=8)
            for bound, style, name in ((used.bound.bus, ":", "bus bound"), (used.bound.array, "-", "array bound")):
                axes.plot([bound / tokens] * 2, [at - HEIGHT / 2, at + HEIGHT / 2], color="black", linestyle=style,
                          linewidth=1.4, label=None if ticks else name)  # fmt: skip
            size = load_config(config)
            ticks.append((at, f"{config} ({size.rows} x {size.cols}), {TITLES[task]}"))
    axes.set_yticks([at for at, _ in ticks], [label for _, label in ticks])
    axes.invert_yaxis()
    axes.set_xlabel("cycles a token")
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    drawing.legend(loc="outside upper center", ncols=5, frameon=False)
    return drawing


def svg() -> str:
    """The picture as SVG text."""
    return svg_text(figure)
