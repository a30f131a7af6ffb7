# SPDX-License-Identifier: Apache-2.0
"""What the core's speed is held to: `spec/speed.yaml`, and each promise judged by the figures of a bench."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml
from pydantic import model_validator

from ga2.bench.predict import Spent
from ga2.bench.tasks import tasks
from ga2.decoding.recorded import recorded_runs
from ga2.spec import CONFIG_NAMES, SPEC_DIR, Strict

AIM, MUST, MISSED, NOT_JUDGED = "aim met", "must met", "MISSED", "not judged"
Figures = Callable[[str, str], Spent]
"""What a task of a configuration spent."""


class Promise(Strict):
    """One figure of the core and its two limits; the fields are described in the file."""

    says: str
    config: str
    figure: Literal["cycles", "ratio", "bus_share"]
    of: str
    over: str = ""
    parts: int = 1
    better: Literal["lower", "higher"]
    must: float
    aim: float
    recorded: tuple[str, int, float] | None = None
    earlier: float | None = None
    plain_at_most: int | None = None

    @model_validator(mode="after")
    def _consistent(self) -> "Promise":
        known = tasks(self.config)
        rules = {
            f"unknown configuration '{self.config}'": self.config in CONFIG_NAMES,
            "the aim must be better than the must": self.reaches(self.aim, self.must) and self.aim != self.must,
            "`over` belongs to a ratio, and only there": bool(self.over) == (self.figure == "ratio"),
            f"the bench of {self.config} runs {', '.join(known)}": self.of in known and self.over in ("", *known),
            "`earlier` and `recorded` exclude each other": self.earlier is None or self.recorded is None,
            "no such recorded run": self.recorded is None or self.recorded in _recorded(),
        }
        for rule, holds in rules.items():
            if not holds:
                raise ValueError(f"speed.yaml: {self.says}: {rule}")
        return self

    def reaches(self, value: float, limit: float) -> bool:
        """Whether a figure is as good as a limit."""
        return value <= limit if self.better == "lower" else value >= limit

    @property
    def earlier_figure(self) -> float | None:
        """The earlier chip's; None if it has none on record."""
        if self.recorded is None:
            return self.earlier
        cycles, speedup = _recorded()[self.recorded]
        return cycles if self.figure == "cycles" else speedup

    def text(self, value: float | None) -> str:
        """A figure of this promise as text."""
        if value is None:
            return "-"
        return f"{value:,.0f}" if self.figure == "cycles" else f"{value:.2f}"

    def measured_text(self, value: float) -> str:
        """Our figure, exact enough to be told from its limits."""
        return self.text(value) if self.figure == "cycles" else f"{value:.3f}"

    def limit_text(self, limit: float) -> str:
        """A limit as text."""
        return f"{'at most' if self.better == 'lower' else 'at least'} {self.text(limit)}"


class _File(Strict):
    promises: tuple[Promise, ...]


@dataclass(frozen=True)
class Judged:
    """A promise with our figure, and what that makes of it."""

    promise: Promise
    ours: float
    verdict: str


def _recorded() -> dict[tuple[str, int, float], tuple[int, float]]:
    rows = recorded_runs()
    return {(row.request.target, row.request.k, row.request.noise): (row.cycles, row.speedup) for row in rows}


def load_promises(path: Path = SPEC_DIR / "speed.yaml") -> tuple[Promise, ...]:
    """All of them; pydantic's ValidationError says what is wrong with one."""
    return _File(**yaml.safe_load(path.read_text())).promises


def figure(promise: Promise, figures: Figures) -> float:
    """Our figure of a promise."""
    of = figures(promise.config, promise.of)
    if promise.figure == "bus_share":
        return of.bus_share
    return of.cycles / (figures(promise.config, promise.over).cycles * promise.parts) if promise.over else of.cycles


def judge(promise: Promise, figures: Figures) -> Judged:
    """Whether a promise is kept."""
    ours, ceiling = figure(promise, figures), promise.plain_at_most
    if ceiling is not None and figures(promise.config, "plain").cycles > ceiling:
        return Judged(promise, ours, NOT_JUDGED)
    met = {AIM: promise.reaches(ours, promise.aim), MUST: promise.reaches(ours, promise.must), MISSED: True}
    return Judged(promise, ours, next(verdict for verdict, holds in met.items() if holds))
