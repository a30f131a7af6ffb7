# SPDX-License-Identifier: Apache-2.0
"""The runs as the manual's tables."""

from collections.abc import Sequence

from ga2.adaptive.runs import FORMS, Shown, by_noise, changing
from ga2.markdown import table
from ga2.speculation.adaptive import DISCOUNT, POSITION_TRIALS, PRIOR, PRIOR_TRIALS, REMEMBERED, SHARE

HEADER = ("draft", "blocks", "mean k", "accepted", "speed-up", "best fixed k", "its speed-up", "adaptive over it")


def rows(runs: Sequence[Shown], suffix: str = "") -> list[list[object]]:
    """A line a draft."""
    return [[one.title + suffix, len(one.guesses), f"{sum(one.guesses) / len(one.guesses):.1f}",
             f"{one.accepted} of {sum(one.guesses)}", f"{one.speedup:.3f}", one.best_fixed, f"{one.best_speedup:.3f}",
             f"{one.speedup / one.best_speedup:.2f}"] for one in runs]  # fmt: skip


def noise_table() -> str:
    """Noise by noise, in both forms of the draft."""
    return table(HEADER, [row for form in FORMS for row in rows(by_noise(form), f", {form} (chip)")])


def changing_table() -> str:
    """Drafts that change."""
    return table(HEADER, rows(changing()))


def settings_table() -> str:
    """What the policy is set to."""
    named: list[list[object]] = [
        ["promise: share of plain speed", f"{float(SHARE):g}"],
        ["weight of a block beside the next one", DISCOUNT],
        ["blocks remembered", REMEMBERED],
        ["acceptance before any trial, and its weight in trials", f"{PRIOR:g}, {PRIOR_TRIALS:g}"],
        ["weight of all positions in the estimate of one, in trials", f"{POSITION_TRIALS:g}"],
    ]
    return table(["setting", "value"], named)
