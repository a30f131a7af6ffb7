# SPDX-License-Identifier: Apache-2.0
"""What every program of a task must count: the timing model's word, and the bounds that no core could beat."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from capra.resident import LOADER
from ga2.bench.bounds import Bounds, bounds
from ga2.bench.tasks import Ran, memory_bytes, perform, session_of
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.spec import load_config


@lru_cache
def predicted(config: str, task: str) -> tuple[Ran, ...]:
    """Every program of a task on the golden device, whose counters are the timing model's."""
    return tuple(run_sync(perform(GoldenDevice(load_config(config), memory_bytes(config)), task)))


@dataclass(frozen=True)
class Spent:
    """A task's counters, summed over its programs, and their bounds. Loading resident weights is no part of it."""

    counters: dict[str, int]
    bound: Bounds
    weight_bytes: int

    @property
    def cycles(self) -> int:
        """All of them."""
        return self.counters["total"]

    @property
    def share(self) -> float:
        """The larger bound over the cycles: 1 would be a core that never waits."""
        return max(self.bound.bus, self.bound.array) / self.cycles

    @property
    def bus_share(self) -> float:
        """The bus bound over the cycles."""
        return self.bound.bus / self.cycles


def spent(config: str, task: str, runs: Sequence[Ran] | None = None) -> Spent:
    """The sums of a task's programs; of the predicted ones unless `runs` are given."""
    session, total = session_of(config, task), Counter[str]()
    bus = array = weights = 0
    for ran in runs if runs is not None else predicted(config, task):
        if ran.program == LOADER:
            continue
        total.update(ran.counters)
        program = session.model.programs[ran.program]
        least = bounds(program.graph, session.config, ran.length, ran.m, resident=task == "resident")
        bus, array, weights = bus + least.bus, array + least.array, weights + least.weight_bytes
    return Spent(dict(total), Bounds(bus, array, weights), weights)
