# SPDX-License-Identifier: Apache-2.0
"""Run a command so that nothing below it outlives the caller, however the caller ends.

The file is also the program that stands between the two: `python guard.py COMMAND...` leads a process group of its own
and ends that group when it is told to, or when its parent dies.
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


def run_guarded(
    command: Sequence[str], *, cwd: Path, env: Mapping[str, str], output: IO[bytes] | None = None
) -> int:
    """Run `command`, its output going to `output` or where this process's goes; its exit code.

    An interrupt ends every process below it first.
    """
    guard = [sys.executable, __file__, *command]
    child = subprocess.Popen(
        guard, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
    )
    try:
        return child.wait()
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()


def main(command: Sequence[str]) -> int:
    """The program between: run `command`; its exit code."""
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
    try:
        child = subprocess.Popen(command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    code = child.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
