# SPDX-License-Identifier: Apache-2.0
"""Figures as SVG text for the documents: the same figure gives the same bytes."""

import io
from collections.abc import Callable
from typing import Any

import matplotlib
from matplotlib.figure import Figure

SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "ga2",  # the names of clip paths would be random
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9,
}


def svg_text(draw: Callable[[], Figure]) -> str:
    """What `draw` draws, with the settings of the documents."""
    with matplotlib.rc_context(SETTINGS):
        data = io.StringIO()
        draw().savefig(data, format="svg", metadata={"Date": None, "Creator": "ga2 generate"})
    return "\n".join(line.rstrip() for line in data.getvalue().splitlines()) + "\n"
