# SPDX-License-Identifier: Apache-2.0
"""The tasks on the RTL, in one simulator process a configuration, and every counter beside the timing model's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ga2.bench.predict import predicted
from ga2.bench.tasks import Ran, memory_bytes, tasks
from ga2.decoding.jobs import Progress, carry_out

JOB_MODULE = "verif.system.bench_job"


@dataclass(frozen=True)
class Measured:
    """A task's programs on the RTL; difference: the first byte or counter that was not the golden model's."""

    programs: tuple[Ran, ...]
    difference: str | None = None


def programs(config: str, names: Sequence[str] | None = None) -> int:
    """How many programs the tasks of a configuration run."""
    return sum(len(predicted(config, task)) for task in names or tasks(config))


def measure(config: str, sim: str, progress: Progress, names: Sequence[str] | None = None) -> dict[str, Measured]:
    """Run all tasks, or those named; `progress` gets the number of programs done. Raises what `carry_out` raises."""
    description = {"config": config, "tasks": list(names or tasks(config)), "memory_bytes": memory_bytes(config)}
    done = carry_out(config, sim, JOB_MODULE, description, progress, memory_bytes(config))
    return {one["task"]: Measured(tuple(Ran(**ran) for ran in one["programs"]), one["difference"]) for one in done}


def problems(config: str, measured: Mapping[str, Measured]) -> list[str]:
    """A line for every program whose counters are not the timing model's, and for every task whose bytes differ."""
    found = []
    for task, seen in measured.items():
        wanted = predicted(config, task)
        if [(ran.program, ran.length, ran.m) for ran in seen.programs] != [(w.program, w.length, w.m) for w in wanted]:
            found.append(f"{task}: {len(seen.programs)} programs other than the {len(wanted)} of the golden model")
            continue
        wrong = [line for ran, want in zip(seen.programs, wanted, strict=True) for line in _differing(ran, want)]
        found += [f"{task}: {line}" for line in wrong]
        if seen.difference and not wrong:
            found.append(f"{task}: {seen.difference}")
    return found


def _differing(ran: Ran, wanted: Ran) -> list[str]:
    """The first counter that differs, with both values."""
    for name, value in wanted.counters.items():
        if ran.counters.get(name) != value:
            where = f"{ran.program} with LEN = {ran.length}, M = {ran.m}"
            return [f"{where}: {name} is {ran.counters.get(name)}, predicted {value}"]
    return []
