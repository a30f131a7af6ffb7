# SPDX-License-Identifier: Apache-2.0
"""Worker processes for work on the golden model: an interrupt is the parent's, which ends them."""

import multiprocessing
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of `jobs` processes; whatever ends the block early ends them at once, in the middle of their work."""
    before = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, initializer=_leave_interrupts_to_the_parent) as pool:
        try:
            yield pool
        except BaseException:
            for worker in set(multiprocessing.active_children()) - before:
                worker.kill()  # they write nothing that could stay half-written
            pool.shutdown(cancel_futures=True)
            raise
