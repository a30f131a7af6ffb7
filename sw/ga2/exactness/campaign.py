# SPDX-License-Identifier: Apache-2.0
"""Many cases on one device, one after another without a reset: on the golden model, or on the RTL in a simulator."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ga2.decoding.backends import MEMORY_BYTES
from ga2.decoding.jobs import Progress, carry_out
from ga2.device.checked import CheckedDevice
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import Device, run_sync
from ga2.exactness.cases import DecodeCase, RowsCase, draw_case
from ga2.exactness.decoding import decode_both, differences
from ga2.exactness.rows import check_rows
from ga2.exactness.rule import check_rule
from ga2.exactness.runs import from_json
from ga2.exactness.subject import Subject
from ga2.spec import Config, load_config
from ga2.speculation.chip import DecodeError
from ga2.speculation.ledger import LedgerError

JOB_MODULE = "verif.system.exactness_job"


@dataclass(frozen=True)
class Task:
    """Case `index` of the seed; with `rule` the structured rule from start token `index` to a cache of `rule`; with
    `run` that run of the speculation campaign, which calls it `index`."""

    index: int
    rule: int = 0
    run: DecodeCase | None = None


def task_from(config: Config, found: Mapping[str, Any]) -> Task:
    """A task from its JSON values."""
    run = found.get("run")
    return Task(found["index"], found.get("rule", 0), None if run is None else from_json(run, config))


@dataclass(frozen=True)
class Verdict:
    """What a task showed: programs run, rows (or tokens of the rule) compared, and what is wrong, a line each.

    accepted, proposed, blocks: of a speculative decoding.
    """

    task: Task
    programs: int
    rows: int
    problems: tuple[str, ...]
    accepted: int = 0
    proposed: int = 0
    blocks: int = 0


async def perform(
    device: Device, golden: GoldenDevice, seed: int, tasks: Sequence[Task], progress: Progress
) -> list[Verdict]:
    """The verdicts of `tasks`. `golden` is the golden core beside the device, or the device itself."""
    subject = Subject(device, golden)
    verdicts = []
    for done, task in enumerate(tasks):
        if isinstance(device, CheckedDevice):
            device.forget_differences()
        before = subject.programs
        seen = await _judged(subject, seed, task, lambda share: progress(done + share))
        if isinstance(device, CheckedDevice) and device.difference is not None:
            seen = replace(seen, problems=(*seen.problems, f"differs from golden: {device.difference}"))
        verdicts.append(replace(seen, programs=subject.programs - before))
        progress(done + 1)
    return verdicts


async def _judged(subject: Subject, seed: int, task: Task, report: Progress) -> Verdict:
    """The verdict of one task but for its programs; a fault, a hang or wrong books are problems too."""
    try:
        if task.rule:
            problems, programs = await check_rule(subject.device, task.index, task.rule, report)
            subject.programs += programs
            return Verdict(task, 0, 2 * task.rule, tuple(problems))
        case = draw_case(subject.config, seed, task.index) if task.run is None else task.run
        if isinstance(case, RowsCase):
            return Verdict(task, 0, len(case.tokens) + case.kept + 1, tuple(await check_rows(subject, case)))
        seen = await decode_both(subject, case)
        books = seen.speculative.ledger
        counts = (books.accepted, books.proposed, books.blocks)
        return Verdict(task, 0, case.count, tuple(differences(case, seen)), *counts)
    except (DecodeError, LedgerError) as error:
        return Verdict(task, 0, 0, (str(error),))


def on_golden(config: str, seed: int, tasks: Sequence[Task], progress: Progress) -> list[Verdict]:
    """On the golden model, for bytes alone: cycles are not predicted."""
    device = GoldenDevice(load_config(config), MEMORY_BYTES, lambda _config, _outcome: {"total": 1})
    return run_sync(perform(device, device, seed, tasks, progress))


def on_rtl(config: str, sim: str, seed: int, tasks: Sequence[Task], progress: Progress) -> list[Verdict]:
    """On the simulated core in one simulator process.

    Every program of a case is compared with the golden model. If all tasks are the rule's, which is a judge of its
    own and runs thousands of programs, nothing else is compared and counters are not read. Raises what `carry_out`
    raises.
    """
    description = {"config": config, "seed": seed, "tasks": [asdict(task) for task in tasks]}
    results = carry_out(config, sim, JOB_MODULE, description, progress)
    core = load_config(config)
    return [
        Verdict(**{**one, "task": task_from(core, one["task"]), "problems": tuple(one["problems"])}) for one in results
    ]
