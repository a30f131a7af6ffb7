# SPDX-License-Identifier: Apache-2.0
"""What the counts say: of each group which bins were hit, which are holes, and which are excluded for a reason."""

from collections.abc import Sequence
from dataclasses import dataclass

from ga2.coverage.lists import Exclusion
from ga2.coverage.stored import Counts


class ExclusionError(ValueError):
    """An exclusion that excludes nothing, or something that was hit."""


@dataclass(frozen=True)
class Point:
    """One cover point. Names are bins without their point."""

    name: str
    counts: dict[str, int]
    excluded: dict[str, str]

    @property
    def wanted(self) -> dict[str, int]:
        """The bins that count."""
        return {name: count for name, count in self.counts.items() if name not in self.excluded}

    @property
    def hit(self) -> int:
        """Bins hit, of those that count."""
        return sum(count > 0 for count in self.wanted.values())

    @property
    def holes(self) -> tuple[str, ...]:
        """Full names of the bins never hit."""
        return tuple(f"{self.name}/{name}" for name, count in self.wanted.items() if count == 0)


@dataclass(frozen=True)
class Functional:
    """All points, in order."""

    points: tuple[Point, ...]

    @property
    def bins(self) -> int:
        """Bins that count."""
        return sum(len(point.wanted) for point in self.points)

    @property
    def hit(self) -> int:
        """Bins hit, of those that count."""
        return sum(point.hit for point in self.points)

    @property
    def percent(self) -> float:
        """Bins hit in percent of those that count."""
        return percent(self.hit, self.bins)

    @property
    def holes(self) -> tuple[str, ...]:
        """Every bin never hit."""
        return tuple(name for point in self.points for name in point.holes)

    @property
    def excluded(self) -> dict[str, str]:
        """Every excluded bin and the reason."""
        return {f"{point.name}/{name}": why for point in self.points for name, why in point.excluded.items()}

    @property
    def groups(self) -> dict[str, tuple[Point, ...]]:
        """Points by group."""
        names = dict.fromkeys(point.name.partition("/")[0] for point in self.points)
        return {group: tuple(p for p in self.points if p.name.partition("/")[0] == group) for group in names}


def percent(part: int, whole: int) -> float:
    """To one decimal, rounded down, so that 100.0 means all."""
    return part * 1000 // whole / 10 if whole else 100.0


def functional(counts: Counts, exclusions: Sequence[Exclusion]) -> Functional:
    """The counts against the exclusions; ExclusionError for one that fits no bin, or fits one that was hit."""
    used: set[str] = set()
    points = []
    for point, bins in counts.items():
        excluded: dict[str, str] = {}
        for name, count in bins.items():
            rule = next((each for each in exclusions if each.covers(f"{point}/{name}")), None)
            if rule is None:
                continue
            if count:
                raise ExclusionError(f"coverage.yaml: {point}/{name} was hit, but is excluded: {rule.reason}")
            used.add(rule.bins)
            excluded[name] = rule.reason
        points.append(Point(point, bins, excluded))
    idle = [rule.bins for rule in exclusions if rule.bins not in used]
    if idle:
        raise ExclusionError(f"coverage.yaml: excludes no bin: {', '.join(idle)}")
    return Functional(tuple(points))
