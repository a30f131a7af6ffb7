# SPDX-License-Identifier: Apache-2.0
"""The tables of `docs/user/quantisation.md`: for each figure a scale a column, then one scale a weight."""

from collections.abc import Callable, Sequence

from ga2.accuracy.quantisation import LOGITS, PROGRAMS, Error, Measured, measured, weight_errors
from ga2.markdown import table
from ga2.models.targets import TARGET_KINDS

Rows = list[list[object]]
Measure = Callable[[str, str, bool], Measured]

LOGITS_HEADER = ("model", "program", "max", "RMS", "relative", "choice kept", "one scale: max", "RMS", "relative",
                 "choice kept")  # fmt: skip
LAYERS_HEADER = ("model", "tensor", "max", "RMS", "relative", "saturated", "one scale: max", "RMS", "relative")
WEIGHTS_HEADER = ("model", "weight", "max", "RMS", "relative", "one scale: max", "RMS", "relative")


def _figures(error: Error) -> list[object]:
    return [f"{error.worst:.2f}", f"{error.rms:.3f}", f"{error.relative:.2%}"]


def logits_rows(measure: Measure = measured, kinds: Sequence[str] = TARGET_KINDS) -> Rows:
    """The logits of every program of every shipped model."""
    rows: Rows = []
    for kind in kinds:
        for program in PROGRAMS:
            row: list[object] = [kind, f"`{program}`"]
            for per_column in (True, False):
                found = measure(kind, program, per_column)
                row += [*_figures(found.errors[LOGITS[program]]), f"{found.agreement:.1%}"]
            rows.append(row)
    return rows


def layers_rows(measure: Measure = measured, kinds: Sequence[str] = TARGET_KINDS) -> Rows:
    """Every tensor of the targets."""
    rows: Rows = []
    for kind in kinds:
        columns, whole = (measure(kind, "target", per_column).errors for per_column in (True, False))
        for name, error in columns.items():
            rows.append([kind, name, *_figures(error), f"{error.saturated:.2%}", *_figures(whole[name])])
    return rows


def weights_rows(kinds: Sequence[str] = TARGET_KINDS) -> Rows:
    """Every weight that streams as panels."""
    rows: Rows = []
    for kind in kinds:
        columns, whole = weight_errors(kind, True), weight_errors(kind, False)
        rows += [[kind, f"`{name}`", *_figures(error), *_figures(whole[name])] for name, error in columns.items()]
    return rows


def logits_table() -> str:
    """The page's table of logits."""
    return table(LOGITS_HEADER, logits_rows())


def layers_table() -> str:
    """The page's table of layers."""
    return table(LAYERS_HEADER, layers_rows())


def weights_table() -> str:
    """The page's table of weights."""
    return table(WEIGHTS_HEADER, weights_rows())
