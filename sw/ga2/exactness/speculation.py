# SPDX-License-Identifier: Apache-2.0
"""The speculation campaign: many runs of `ga2.exactness.runs`, failures made small, and a summary."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import as_completed
from functools import partial
from pathlib import Path
from typing import Any

from ga2.exactness import campaign
from ga2.exactness.campaign import Task, Verdict
from ga2.exactness.cases import DecodeCase
from ga2.exactness.runs import smaller
from ga2.generated.summary import merge
from ga2.pool import processes
from ga2.sim.build import build_root
from ga2.sim.process import threads

GOLDEN = "golden"
CHUNK = 25  # runs that a process takes at once, of as few models as possible: a model takes longer than a run
Progress = Callable[[float], None]


def _by_model(tasks: Sequence[Task]) -> list[list[Task]]:
    """Chunks of tasks, in each as few models as possible."""

    def model(task: Task) -> tuple[str, int]:
        assert task.run is not None
        return task.run.setting.kind, task.run.setting.model_seed

    ordered = sorted(tasks, key=model)
    return [ordered[at : at + CHUNK] for at in range(0, len(ordered), CHUNK)]


def _nothing(_done: float) -> None:
    pass


def on_golden(config: str, tasks: Sequence[Task], jobs: int, progress: Progress = _nothing) -> list[Verdict]:
    """On the golden model, `jobs` processes at a time; verdicts in the order of the tasks."""
    if jobs == 1 or len(tasks) <= CHUNK:
        return campaign.on_golden(config, 0, tasks, progress)
    found: dict[int, Verdict] = {}
    with processes(jobs) as pool:
        futures = [pool.submit(campaign.on_golden, config, 0, chunk, _nothing) for chunk in _by_model(tasks)]
        for future in as_completed(futures):
            found |= {verdict.task.index: verdict for verdict in future.result()}
            progress(len(found))
    return [found[task.index] for task in tasks]


def on_rtl(config: str, sim: str, tasks: Sequence[Task], jobs: int, progress: Progress = _nothing) -> list[Verdict]:
    """On the simulated core, every program compared with golden, in `jobs` simulations; raises what a job raises."""
    parts = [part for part in (tasks[at::jobs] for at in range(jobs)) if part]
    done = [0.0] * len(parts)

    def report(part: int, value: float) -> None:
        done[part] = value
        progress(sum(done))

    with threads(len(parts)) as pool:
        futures = [
            pool.submit(campaign.on_rtl, config, sim, 0, part, partial(report, at)) for at, part in enumerate(parts)
        ]
        found = {verdict.task.index: verdict for future in futures for verdict in future.result()}
    return [found[task.index] for task in tasks]


def play(config: str, sim: str, tasks: Sequence[Task], jobs: int = 1, progress: Progress = _nothing) -> list[Verdict]:
    """The verdicts of tasks with runs, on `golden` or in a simulator."""
    if sim == GOLDEN:
        return on_golden(config, tasks, jobs, progress)
    return on_rtl(config, sim, tasks, jobs, progress)


def shrink(run: DecodeCase, judge: Callable[[Sequence[DecodeCase]], Sequence[bool]], rounds: int) -> DecodeCase:
    """The smallest failing run found in so many rounds; `judge` says of several which fail. The run itself must."""
    for _ in range(rounds):
        candidates = list(smaller(run))
        failing = [each for each, failed in zip(candidates, judge(candidates), strict=True) if failed]
        if not failing:
            break
        run = failing[0]
    return run


def failing(config: str, sim: str) -> Callable[[Sequence[DecodeCase]], list[bool]]:
    """A judge for `shrink`: all candidates of a round on one device."""

    def judge(runs: Sequence[DecodeCase]) -> list[bool]:
        verdicts = play(config, sim, [Task(index, run=run) for index, run in enumerate(runs)])
        return [bool(verdict.problems) for verdict in verdicts]

    return judge


def entry(seed: int, verdicts: Sequence[Verdict], seconds: float) -> dict[str, Any]:
    """One campaign in the summary. acceptance: of the guesses of each kind."""
    accepted: Counter[str] = Counter()
    proposed: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for verdict in verdicts:
        run = verdict.task.run
        assert run is not None
        accepted[run.guesses] += verdict.accepted
        proposed[run.guesses] += verdict.proposed
        kinds[run.setting.kind] += 1
    return {
        "seed": seed,
        "runs": len(verdicts),
        "mismatches": sum(bool(verdict.problems) for verdict in verdicts),
        "failed": [verdict.task.index for verdict in verdicts if verdict.problems],
        "programs": sum(verdict.programs for verdict in verdicts),
        "tokens": sum(verdict.rows for verdict in verdicts),
        "blocks": sum(verdict.blocks for verdict in verdicts),
        "accepted": accepted.total(),
        "proposed": proposed.total(),
        "models": dict(sorted(kinds.items())),
        "acceptance": {kind: round(accepted[kind] / count, 4) for kind, count in sorted(proposed.items()) if count},
        "seconds": round(seconds, 1),
    }


def folder() -> Path:
    """Where the summary and failed runs lie."""
    return build_root() / "speculation"


def save(config: str, sim: str, made: Mapping[str, Any]) -> Path:
    """Put a campaign's entry into `build/speculation/summary.json`, in place of an older one."""
    return merge(f"{config} {sim}", made, folder() / "summary.json")
