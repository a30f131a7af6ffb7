# SPDX-License-Identifier: Apache-2.0
"""Run a command so that nothing below it outlives the caller, however the caller ends.

The file is also the program that stands between the two: `python guard.py PARENT COMMAND...` leads a process group of
its own and ends that group when it is told to, or when its parent, process PARENT, dies.
"""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import IO

GRACE = 3.0  # seconds between the request to end and the end: make and compilers remove half-written files
PR_SET_PDEATHSIG = 1  # Linux: the signal to receive when the parent dies


def guarded(command: Sequence[str]) -> list[str]:
    """The command that runs `command` below this process; it must lead a session of its own."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def run_guarded(
    command: Sequence[str], *, cwd: Path, env: Mapping[str, str], output: IO[bytes] | None = None
) -> int:
    """Run `command`, its output going to `output` or where this process's goes; its exit code.

    An interrupt ends every process below it first.
    """
    child = subprocess.Popen(
        guarded(command), cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
        start_new_session=True,
    )  # fmt: skip
    try:
        return child.wait()
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()


def main(parent: int, command: Sequence[str]) -> int:
    """The program between: run `command` for the process `parent`; its exit code, or 128 and the signal's number."""
    child: subprocess.Popen[bytes] | None = None

    def end_group(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(0, signal.SIGTERM)
        try:
            if child is not None:
                child.wait(GRACE)
        except subprocess.TimeoutExpired:
            pass
        os.killpg(0, signal.SIGKILL)

    signal.signal(signal.SIGTERM, end_group)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it died before the kernel knew what to do then
        return 128 + signal.SIGTERM
    try:
        child = subprocess.Popen(command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    code = child.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
