# SPDX-License-Identifier: Apache-2.0
"""Which instruction of a program that ended wrongly wrote the first wrong byte."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ga2.device.compare import EXTERNAL, SCRATCHPAD, Contents, Found
from ga2.golden.resolve import Resolved
from ga2.timing.ops import StOp

NOBODY = np.iinfo(np.int32).max


class Blame(NamedTuple):
    """The earliest instruction whose bytes are wrong, and the first of them."""

    pc: int
    found: Found


def _scratchpad_writers(program: Sequence[Resolved], size: int, cols: int) -> NDArray[np.int32]:
    """For every scratchpad byte the index of the last instruction that wrote it."""
    writers = np.full(size, NOBODY, np.int32)
    for index, resolved in enumerate(program):
        for access in resolved.writes if resolved.op is not None else ():
            for row in range(access.rows):
                start = (access.start + row * access.pitch) * cols
                writers[start : start + access.words * cols] = index
    return writers


def _memory_writers(program: Sequence[Resolved], size: int, cols: int) -> NDArray[np.int32]:
    """For every byte of external memory the index of the last store that wrote it."""
    writers = np.full(size, NOBODY, np.int32)
    for index, resolved in enumerate(program):
        if isinstance(resolved.op, StOp):
            for row in range(resolved.op.rows):
                start = resolved.op.ext_addr + row * resolved.op.ext_pitch_bytes
                writers[start : start + resolved.op.words * cols] = index
    return writers


def first_wrong(program: Sequence[Resolved], golden: Contents, rtl: Contents, cols: int) -> Blame | None:
    """The earliest writer of a byte that differs; None if no byte that the program wrote does.

    Bytes are compared after the program, so an instruction whose wrong bytes were all overwritten is not seen: the
    one named then read from it.
    """
    unlike = golden.known & ((golden.scratchpad != rtl.scratchpad) | ~rtl.known)
    places = (
        (SCRATCHPAD, golden.scratchpad, rtl.scratchpad, unlike, _scratchpad_writers),
        (EXTERNAL, golden.memory, rtl.memory, golden.memory != rtl.memory, _memory_writers),
    )
    blamed = []
    for what, right, seen, differs, writers in places:
        writer = np.where(differs, writers(program, len(right), cols), NOBODY)
        at = int(np.argmin(writer))
        if writer[at] != NOBODY:
            blamed.append((int(writer[at]), Found(what, int(right[at]), int(seen[at]), at)))
    if not blamed:
        return None
    index, found = min(blamed, key=lambda each: each[0])
    return Blame(program[index].pc, found)
