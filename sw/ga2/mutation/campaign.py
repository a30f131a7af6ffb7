# SPDX-License-Identifier: Apache-2.0
"""Questions to workers, answers into the store; and what the report below build/mutants says of them."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from random import Random
from typing import Any

from ga2.isa.image import write_whole
from ga2.mutation.mutant import Mutant
from ga2.mutation.stored import Stored
from ga2.mutation.subject import SUBJECTS, Subject
from ga2.sim.build import build_root
from ga2.sim.sources import ROOT

KILLED = ("killed", "timeout")
Report = Callable[[int], None]


class BrokenTests(ValueError):
    """The judges do not pass on the subject as it is, or cannot be asked."""


class _Asked:
    """A worker process."""

    def __init__(self, subject: Subject) -> None:
        (name,) = [name for name, each in SUBJECTS.items() if each == subject]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ga2.mutation.worker", name], cwd=ROOT, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            print(json.dumps(question), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise BrokenTests("a worker has ended; its complaint is above")
        return json.loads(line)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


@contextmanager
def workers(subject: Subject, count: int) -> Iterator[Queue[_Asked]]:
    """Workers to take and put back. Whatever ends the block ends them with their children."""
    every = [_Asked(subject) for _ in range(count)]
    queue: Queue[_Asked] = Queue()
    for each in every:
        queue.put(each)
    try:
        yield queue
    finally:
        for each in every:
            each.end()


def _all(
    subject: Subject, todo: Sequence[Any], count: int, question: Callable[[Any], Mapping[str, Any]],
    answered: Callable[[Any, dict[str, Any]], None], report: Report,
) -> None:  # fmt: skip
    """Ask about everything, several at a time; answers are taken in this thread."""

    def ask(each: Any) -> dict[str, Any]:
        worker = queue.get()
        try:
            return worker.ask(question(each))
        finally:
            queue.put(worker)

    with ThreadPoolExecutor(count) as pool, workers(subject, min(count, len(todo))) as queue:
        futures = {pool.submit(ask, each): each for each in todo}
        try:
            for done, future in enumerate(as_completed(futures), 1):
                answered(futures[future], future.result())
                report(done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def missing_reach(stored: Stored) -> list[str]:
    """Judges of which it is not known what they reach."""
    return [file for file in stored.files if file not in stored.reach]


def learn_reach(stored: Stored, jobs: int, report: Report) -> None:
    """Run the judges on the subject as it is. BrokenTests if one fails."""

    def answered(file: str, answer: dict[str, Any]) -> None:
        failed = answer.get("failed") or ([answer["says"]] if "tests" not in answer else [])
        if failed:
            raise BrokenTests(f"{file} does not pass on the {stored.subject.called} as it is: {failed[0]}")
        stored.keep_reach(file, answer["tests"])

    todo = missing_reach(stored)
    if todo:
        _all(stored.subject, todo, jobs, lambda file: {"reach": file}, answered, report)


def chosen(mutants: Sequence[Mutant], only: str, sample: int | None, seed: int) -> list[Mutant]:
    """Those with `only` in their id, or a sample of them, in an order that a seed names.

    The order is drawn too: whatever has been judged when a run is interrupted is itself a fair sample.
    """
    found = [each for each in mutants if only in each.id]
    return Random(seed).sample(found, len(found))[:sample]


def play(todo: Sequence[Mutant], stored: Stored, jobs: int, told: Callable[[Mutant, dict[str, Any]], None],
         report: Report) -> None:  # fmt: skip
    """Ask the judges about mutants; every verdict is stored when it comes."""

    def question(mutant: Mutant) -> dict[str, Any]:
        tests = stored.tests_for(f"{mutant.file}:{mutant.outermost}", mutant.imported)
        return {"mutant": mutant.id, "tests": tests}

    def answered(mutant: Mutant, answer: dict[str, Any]) -> None:
        if answer["status"] == "problem":
            raise BrokenTests(f"{mutant.id}: {answer['says']}")
        stored.keep({"id": mutant.id, **answer})
        told(mutant, answer)

    if todo:
        _all(stored.subject, todo, jobs, question, answered, report)


def summary(mutants: Sequence[Mutant], stored: Stored, reasons: Mapping[str, str]) -> dict[str, Any]:
    """Of those that have a verdict. score: killed over total without equivalents."""
    known = [(each, stored.verdicts[each.id]) for each in mutants if each.id in stored.verdicts]
    real = [(each, verdict) for each, verdict in known if each.id not in reasons]
    place = stored.subject.place
    killed = [each for each, verdict in real if verdict["status"] in KILLED]
    return {
        "mutants": len(mutants),
        "total": len(known),
        "killed": len(killed),
        "by_timeout": sum(verdict["status"] == "timeout" for _, verdict in real),
        "score": round(len(killed) / len(real), 4) if real else None,
        "survivors": [
            {"id": each.id, "at": f"{place}/{each.file}:{each.line}", "before": each.before, "after": each.after}
            for each, verdict in real
            if verdict["status"] not in KILLED
        ],
        "equivalents": [
            {"id": each.id, "at": f"{place}/{each.file}:{each.line}", "reason": reasons[each.id],
             "survives": verdict["status"] not in KILLED}
            for each, verdict in known
            if each.id in reasons
        ],
    }  # fmt: skip


def save(subject: Subject, found: Mapping[str, Any]) -> Path:
    """`build/mutants/capra.json`, or `speculation_every.json`, whole or not at all."""
    path = build_root() / "mutants" / ("capra.json" if subject.listed else subject.kept("every.json"))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, f"{json.dumps(found, indent=1)}\n".encode())
    return path
