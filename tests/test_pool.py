# SPDX-License-Identifier: Apache-2.0
"""The pool of worker processes ends with its block."""

import multiprocessing
import time

import pytest

from ga2.pool import processes


@pytest.mark.parametrize("reason", [KeyboardInterrupt, ValueError])
def test_whatever_ends_the_block_ends_work_under_way(reason: type[BaseException]) -> None:
    before, began = set(multiprocessing.active_children()), time.monotonic()
    with pytest.raises(reason), processes(2) as pool:
        pool.submit(time.sleep, 0).result()
        for _ in range(8):
            pool.submit(time.sleep, 60)
        raise reason
    assert time.monotonic() - began < 30
    assert set(multiprocessing.active_children()) <= before


def test_results_come_back_when_nothing_ends_it() -> None:
    with processes(2) as pool:
        assert list(pool.map(abs, range(-4, 0))) == [4, 3, 2, 1]
