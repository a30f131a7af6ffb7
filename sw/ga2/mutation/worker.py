# SPDX-License-Identifier: Apache-2.0
"""A worker on the subject that its argument names: it imports what no mutant changes, then forks for every question.

A question is a line of JSON on stdin, an answer a line on stdout. {"mutant": id, "tests": {name: seconds}} asks for a
verdict, {"mutant": "", ...} for one on the subject as it is, {"reach": file} for what its tests reach; every answer
says how many seconds of the processor it took.
"""

import importlib
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from contextlib import suppress
from typing import Any

from ga2.models.targets import TARGET_KINDS
from ga2.mutation.judge import judge, reach
from ga2.mutation.mutant import Mutant, all_mutants
from ga2.mutation.programs import numbers
from ga2.mutation.subject import SUBJECTS, Subject
from ga2.sim.sources import ROOT

MEMORY = 6 << 30  # bytes of address space: a broken subject may ask for all there is
WALL = 3600.0  # seconds on the clock for a child that sleeps; what computes is limited by the processor's
PRELOADED = ("hypothesis", "numpy", "yaml", "typer", "rich.console", "ga2.golden.interpreter", "ga2.timing.model")


def _child(subject: Subject, question: dict[str, Any], mutants: dict[str, Mutant], pipe: int) -> None:
    """Answer through the pipe, once, and end."""

    def answer(found: dict[str, Any]) -> None:
        data = json.dumps(found | {"seconds": round(time.process_time(), 2)}).encode()
        while data:
            data = data[os.write(pipe, data) :]
        os._exit(0)

    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    try:
        if "reach" in question:
            reach(subject, question["reach"], answer)
        judge(subject, mutants[question["mutant"]] if question["mutant"] else None, question["tests"], answer)
    except SystemExit as error:
        answer({"status": "killed", "by": "", "says": f"the {subject.called} ended the process with {error.code}"})
    except BaseException:
        answer({"status": "problem", "by": "", "says": traceback.format_exc().strip().splitlines()[-1]})


class Worker:
    """Forks, waits, and ends children that never answer."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        sys.dont_write_bytecode = True
        sys.path[:0] = [str(ROOT / "compiler"), str(ROOT / "sw"), str(ROOT)]
        for name in PRELOADED:
            importlib.import_module(name)
        if subject.listed:
            for kind in TARGET_KINDS:
                numbers(kind)
        self.mutants = {each.id: each for each in all_mutants(subject)}
        self.child = 0

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Of a child of its own."""
        readable, writable = os.pipe()
        self.child = os.fork()
        if not self.child:
            os.close(readable)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            _child(self.subject, question, self.mutants, writable)
        os.close(writable)
        try:
            text = self._read(readable)
        finally:
            os.close(readable)
            self.end()
        return json.loads(text) if text else {"status": "timeout", "by": "", "says": "the child never answered"}

    def _read(self, pipe: int) -> bytes:
        parts: list[bytes] = []
        end = time.monotonic() + WALL
        while select.select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
            part = os.read(pipe, 1 << 16)
            if not part:
                return b"".join(parts)
            parts.append(part)
        return b""

    def end(self, *_: object) -> None:
        """End the child and whatever it started."""
        if self.child:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(self.child, 0)
            self.child = 0


def main() -> None:
    """Answer until stdin ends."""
    worker = Worker(SUBJECTS[sys.argv[1]])

    def terminated(*_: object) -> None:
        worker.end()
        os._exit(0)

    signal.signal(signal.SIGTERM, terminated)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the campaign decides
    for line in sys.stdin:
        print(json.dumps(worker.ask(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
