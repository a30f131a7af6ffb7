# SPDX-License-Identifier: Apache-2.0
"""The same programs on the RTL: every counter beside the timing model's."""

from collections.abc import Sequence
from dataclasses import dataclass

from ga2.cost.points import predicted
from ga2.decoding.jobs import Progress, carry_out

JOB_MODULE = "verif.system.cost_job"


@dataclass(frozen=True)
class Measured:
    """A target pass of `rows` rows on `cache` cache rows: its counters on the RTL, and what differed from golden."""

    cache: int
    rows: int
    counters: dict[str, int]
    difference: str | None


def measure(config: str, sim: str, passes: Sequence[tuple[int, int]], progress: Progress) -> list[Measured]:
    """Run (LEN, M) passes of the structured target in one simulator process. Raises what `carry_out` raises."""
    description = {"config": config, "passes": [list(one) for one in passes]}
    return [Measured(**one) for one in carry_out(config, sim, JOB_MODULE, description, progress)]


def problems(config: str, measured: Sequence[Measured]) -> list[str]:
    """A line for every pass that is not as predicted: its first differing counter or byte."""
    found = []
    for one in measured:
        wanted = predicted(config, one.cache, one.rows)
        wrong = [f"{name} {one.counters.get(name)}, predicted {value}" for name, value in wanted.items()
                 if one.counters.get(name) != value]
        if wrong or one.difference:
            found.append(f"LEN = {one.cache}, M = {one.rows}: {one.difference or wrong[0]}")
    return found
