# SPDX-License-Identifier: Apache-2.0
"""What a core holds and counted beside what the golden model says: the one definition of "equal" for every checker."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ga2.device.hexfile import Bytes, Mask
from ga2.device.protocol import RunResult, Window

EXTERNAL, SCRATCHPAD = "external byte", "scratchpad byte"

class Found(NamedTuple):
    """One difference: what differs (of a byte also where), the golden value and the RTL's."""

    what: str
    golden: object
    rtl: object
    address: int | None = None

    def __str__(self) -> str:
        return f"{self.name}: golden {self.golden}, RTL {self.rtl}"

    @property
    def name(self) -> str:
        """What differs, with the address."""
        return self.what if self.address is None else f"{self.what} {self.address:#x}"


@dataclass(frozen=True)
class Contents:
    """All of external memory and of the scratchpad, flat.

    known: the scratchpad bytes with a meaning: in the golden model those ever written, on RTL those that are not x.
    """

    memory: Bytes
    scratchpad: Bytes
    known: Mask


def content_differences(golden: Contents, rtl: Contents, before: Bytes | None = None) -> list[Found]:
    """The first differing byte of external memory, of the scratchpad's written bytes, and the first written x.

    With `before`, the RTL's scratchpad at an earlier time, also the first byte changed since that nothing wrote.
    """
    found = _unequal_bytes(EXTERNAL, golden.memory, rtl.memory)
    found += _unequal_bytes(SCRATCHPAD, golden.scratchpad, rtl.scratchpad, golden.known)
    unknown = np.flatnonzero(golden.known & ~rtl.known)[:1]
    found += [Found(SCRATCHPAD, int(golden.scratchpad[at]), "x", int(at)) for at in unknown]
    if before is not None:
        found += _unequal_bytes(f"untouched {SCRATCHPAD}", before, rtl.scratchpad, ~golden.known)
    return found


def untouchable_differences(golden: Contents, rtl: Contents, windows: Sequence[Window]) -> list[Found]:
    """The first differing external byte outside the writable windows: what no program may touch, however it ended."""
    untouchable = np.ones(len(golden.memory), np.bool_)
    for window in windows:
        if window.writable:
            untouchable[window.base : window.base + window.size] = False
    return _unequal_bytes(f"{EXTERNAL} outside the writable windows", golden.memory, rtl.memory, untouchable)


def counter_differences(expected: RunResult, seen: RunResult) -> list[Found]:
    """Every counter that was predicted and differs; nothing is predicted for a run that an imprecise fault ended."""
    pairs = [(name, value, seen.counters.get(name)) for name, value in expected.counters.items()]
    return [Found(f"counter {name}", value, counted) for name, value, counted in pairs if counted != value]


def _unequal_bytes(what: str, golden: Bytes, rtl: Bytes, where: Mask | None = None) -> list[Found]:
    """The first byte in `where` (default all) that differs."""
    unequal = golden != rtl if where is None else (golden != rtl) & where
    return [Found(what, int(golden[at]), int(rtl[at]), int(at)) for at in np.flatnonzero(unequal)[:1]]
