# SPDX-License-Identifier: Apache-2.0
"""Many cases on one device, one after another without a reset: on the golden model, or on the RTL in a simulator."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from ga2.decoding.backends import MEMORY_BYTES
from ga2.decoding.jobs import Progress, carry_out
from ga2.device.checked import CheckedDevice
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import Device, run_sync
from ga2.exactness.cases import RowsCase, draw_case
from ga2.exactness.decoding import check_decoding
from ga2.exactness.rows import check_rows
from ga2.exactness.rule import check_rule
from ga2.exactness.subject import Subject
from ga2.spec import load_config
from ga2.speculation.chip import DecodeError
from ga2.speculation.ledger import LedgerError

JOB_MODULE = "verif.system.exactness_job"


@dataclass(frozen=True)
class Task:
    """Case `index` of the seed, or with `rule` the structured rule from start token `index` to a cache of `rule`."""

    index: int
    rule: int = 0


@dataclass(frozen=True)
class Verdict:
    """What a task showed: programs run, rows (or tokens of the rule) compared, and what is wrong, a line each."""

    task: Task
    programs: int
    rows: int
    problems: tuple[str, ...]


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
        rows, problems = await _problems(subject, seed, task, lambda share: progress(done + share))
        if isinstance(device, CheckedDevice) and device.difference is not None:
            problems.append(f"differs from golden: {device.difference}")
        verdicts.append(Verdict(task, subject.programs - before, rows, tuple(problems)))
        progress(done + 1)
    return verdicts


async def _problems(subject: Subject, seed: int, task: Task, report: Progress) -> tuple[int, list[str]]:
    """(rows compared, problems) of one task; a fault, a hang or books that do not agree are problems too."""
    try:
        if task.rule:
            problems, programs = await check_rule(subject.device, task.index, task.rule, report)
            subject.programs += programs
            return 2 * task.rule, problems
        case = draw_case(subject.config, seed, task.index)
        if isinstance(case, RowsCase):
            return len(case.tokens) + case.kept + 1, await check_rows(subject, case)
        return case.count, await check_decoding(subject, case)
    except (DecodeError, LedgerError) as error:
        return 0, [str(error)]


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
    return [Verdict(Task(**one["task"]), one["programs"], one["rows"], tuple(one["problems"])) for one in results]
