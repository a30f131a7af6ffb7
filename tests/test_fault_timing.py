# SPDX-License-Identifier: Apache-2.0
"""The cycles of programs that a precise fault ends, counted by hand from the contract's cycle numbers."""

import pytest

from ga2.device.golden import GoldenDevice
from ga2.device.protocol import RunResult, Window, run_sync
from ga2.isa.encoding import Dim, Ext, Instruction, Operand, encode
from ga2.isa.image import Image
from ga2.spec import load_config

CONFIG = load_config("nano")
BEYOND = CONFIG.spad_words
NO_OP = encode(Instruction("LD", {"rows": Dim(0)}))


def _load(dst: int) -> int:
    fields = {"rows": Dim(1), "words": Dim(1), "dst": Operand(dst, 1), "ext": Ext(0, 1)}
    return encode(Instruction("LD", fields))


def _run(words: list[int], length: int = 0) -> RunResult:
    device = GoldenDevice(CONFIG)
    run_sync(device.load_image(Image("nano", words, [], {"main": 0}), 0))
    run_sync(device.set_windows([Window(4096, 4096)]))
    return run_sync(device.run("main", length, 0))


@pytest.mark.parametrize(
    ("words", "length", "name", "found"),
    [
        ([0], 0, "illegal", 3),  # decoded in cycle 1, checked in 3
        ([NO_OP, 0], 0, "illegal", 6),  # a no-op is allocated in 4, and the next one decoded
        ([_load(BEYOND)], 0, "scratchpad", 7),  # two operands: the last one is compared in decode + 5
        ([0], CONFIG.max_len + 1, "len_m", 1),  # instead of decoding
    ],
)
def test_a_fault_alone(words: list[int], length: int, name: str, found: int) -> None:
    """The fault is raised in the cycle after it is found, and irq in the one after that."""
    result = _run(words, length)
    assert result.fault is not None and result.fault.name == name
    assert result.counters["total"] == found + 2
    assert result.counters["part_dispatch"] == found
    assert result.counters["retired"] == len(words) - 1


def test_a_fault_waits_for_older_instructions() -> None:
    """One that hides behind a load ends the program when HALT in its place would."""
    halt = encode(Instruction("HALT"))
    faulty, right = _run([_load(0), 0]), _run([_load(0), halt])
    assert faulty.counters["total"] == right.counters["total"]
    assert faulty.counters["read_beats"] == right.counters["read_beats"] == 1
    assert (faulty.counters["retired"], right.counters["retired"]) == (1, 2)
