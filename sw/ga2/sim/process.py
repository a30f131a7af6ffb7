# SPDX-License-Identifier: Apache-2.0
"""Run tools in a process group of their own, so that an interrupt ends compilers and simulators with it.

The child of cocotb's runner runs `main(FILE)`: FILE holds {"sim", "method", "arguments"} as JSON.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ga2.sim.guard import guarded

PACKAGES = Path(__file__).resolve().parents[2]
TICK = 0.1  # seconds between two looks at a running simulation
COMPILE_JOBS = 2

_ending = threading.Event()
_pools: list[ThreadPoolExecutor] = []  # open ones; a thread of one may open another


@contextmanager
def threads(count: int) -> Iterator[ThreadPoolExecutor]:
    """A pool whose threads run tools. An error or an interrupt in the block ends every run under way in them."""
    try:
        with ThreadPoolExecutor(count) as pool:
            _pools.append(pool)
            try:
                yield pool
            except BaseException:
                _ending.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        _pools.remove(pool)
        if not _pools:
            _ending.clear()


def stop_if_ending() -> None:
    """For what computes in a thread of a pool: KeyboardInterrupt once the pool's block has ended early."""
    if _ending.is_set():
        raise KeyboardInterrupt


def supervise(
    command: Sequence[str],
    *,
    directory: Path,
    log: Path,
    env: Mapping[str, str],
    watch: Callable[[], None] | None = None,
) -> int:
    """Run a command in `directory` as a process group of its own, its output in `log`; the exit code.

    `watch` is called a few times a second meanwhile. Whatever ends this call early (an interrupt, an error in `watch`)
    also ends every process below it, and so does the end of this process, however it comes.
    """
    with log.open("wb") as output:
        child = subprocess.Popen(
            guarded(command), cwd=directory, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True,
        )
        try:
            while True:
                try:
                    return child.wait(TICK)
                except subprocess.TimeoutExpired:
                    stop_if_ending()
                    if watch is not None:
                        watch()
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()


def call_runner(
    sim: str,
    method: str,
    arguments: Mapping[str, Any],
    *,
    directory: Path,
    env: Mapping[str, str],
    watch: Callable[[], None] | None = None,
) -> int:
    """Call a method ("build" or "test") of cocotb's runner, supervised; the exit code.

    The output goes to `<method>.log` in `directory`.
    """
    request = directory / f"{method}.json"
    request.write_text(json.dumps({"sim": sim, "method": method, "arguments": dict(arguments)}))
    command = [sys.executable, "-c", f"from ga2.sim.process import main; main({str(request)!r})"]
    return supervise(command, directory=directory, log=directory / f"{method}.log", env=env, watch=watch)


def python_path(*first: Path) -> str:
    """PYTHONPATH of the child: `first`, the packages, then this process's path."""
    inherited = [entry for entry in sys.path if entry]
    return os.pathsep.join(dict.fromkeys([*map(str, first), str(PACKAGES), *inherited]))


def main(request: str) -> None:
    """The child: perform the request, exit with 1 if a command fails."""
    from cocotb_tools import runner

    call = json.loads(Path(request).read_text())
    runner.MAX_PARALLEL_BUILD_JOBS = COMPILE_JOBS
    try:
        getattr(runner.get_runner(call["sim"]), call["method"])(**call["arguments"])
    except RuntimeError as error:
        sys.exit(str(error))
