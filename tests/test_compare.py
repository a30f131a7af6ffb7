# SPDX-License-Identifier: Apache-2.0
"""What counts as a difference between golden model and core: each kind alone, named with its address."""

from dataclasses import replace

import numpy as np

from ga2.device.compare import Contents, content_differences, counter_differences, untouchable_differences
from ga2.device.protocol import RunResult, Window

GOLDEN = Contents(np.arange(32, dtype=np.uint8), np.arange(8, dtype=np.uint8), np.arange(8) < 4)
RTL = replace(GOLDEN, known=np.ones(8, np.bool_))


def changed(data: np.ndarray, at: int) -> np.ndarray:
    """A copy with byte `at` set to 99."""
    copy = data.copy()
    copy[at] = 99
    return copy


def test_equal_contents_do_not_differ():
    assert content_differences(GOLDEN, RTL, RTL.scratchpad) == []
    assert untouchable_differences(GOLDEN, RTL, []) == []


def test_every_kind_of_byte_is_compared():
    for other, before, text in (
        (replace(RTL, memory=changed(RTL.memory, 17)), None, "external byte 0x11: golden 17, RTL 99"),
        (replace(RTL, scratchpad=changed(RTL.scratchpad, 3)), None, "scratchpad byte 0x3: golden 3, RTL 99"),
        (replace(RTL, known=RTL.known & (np.arange(8) != 2)), None, "scratchpad byte 0x2: golden 2, RTL x"),
        (RTL, changed(RTL.scratchpad, 6), "untouched scratchpad byte 0x6: golden 99, RTL 6"),
    ):
        assert [str(found) for found in content_differences(GOLDEN, other, before)] == [text]


def test_bytes_that_golden_never_wrote_may_be_anything():
    assert content_differences(GOLDEN, replace(RTL, scratchpad=changed(RTL.scratchpad, 5))) == []


def test_only_writable_windows_may_change_under_an_unfinished_program():
    windows = [Window(0, 8), Window(16, 8, writable=True)]
    assert untouchable_differences(GOLDEN, replace(RTL, memory=changed(RTL.memory, 23)), windows) == []
    for at in (7, 15, 24):
        found = untouchable_differences(GOLDEN, replace(RTL, memory=changed(RTL.memory, at)), windows)
        assert [difference.address for difference in found] == [at]


def test_predicted_counters_are_compared_and_no_others():
    seen = RunResult({"total": 5, "matrix": 2})
    assert [str(found) for found in counter_differences(RunResult({"total": 4, "matrix": 2}), seen)] == [
        "counter total: golden 4, RTL 5"
    ]
    assert counter_differences(RunResult({"retired": 1}), seen) != []
    assert counter_differences(RunResult({}), seen) == []
