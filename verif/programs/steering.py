# SPDX-License-Identifier: Apache-2.0
"""Steers the generator to the bins of functional coverage that no stored run has hit yet."""

from collections.abc import Sequence
from pathlib import Path

from ga2.coverage.holes import load_holes
from ga2.golden.resolve import Resolved
from verif.coverage.context import Context, predicted
from verif.coverage.instruction_bins import instruction_bins
from verif.programs.generator import Score, Sofar

HORIZON = 2  # windows of older instructions whose times are computed


def score_for(holes: frozenset[str]) -> Score:
    """How many of `holes` a candidate would hit that nothing chosen before it, in any program, has hit.

    The function remembers: ask it about one candidate after another of the same place, then about the next place.
    """
    left = set(holes)
    asked: dict[int, frozenset[str]] = {}
    place: list[int] = [0]

    def score(candidate: Resolved, sofar: Sofar) -> int:
        chosen = sofar.chosen
        if chosen and (taken := asked.get(id(chosen[-1]))):
            left.difference_update(taken)
        if place[0] != len(chosen):
            place[0] = len(chosen)
            asked.clear()
        asked[id(candidate)] = bins_of(candidate, sofar) & left
        return len(asked[id(candidate)])

    return score


def bins_of(candidate: Resolved, sofar: Sofar) -> frozenset[str]:
    """The bins that an instruction would hit behind those chosen; times are nearly right, for old ones are left out."""
    slots = sofar.config.window_slots
    recent: Sequence[Resolved] = sofar.chosen[-HORIZON * slots :]
    events = predicted(sofar.config, [*recent, candidate])
    older = recent[-slots:]
    return instruction_bins(Context(sofar.config, sofar.state, candidate, older, events[-len(older) - 1 :]))


def hole_score(path: Path | None = None) -> Score | None:
    """From the last coverage report; None if there is none, or no hole is left."""
    holes = load_holes(path)
    return score_for(holes) if holes else None
