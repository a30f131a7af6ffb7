# SPDX-License-Identifier: Apache-2.0
"""The scratchpad in the abstract: which words a program has defined so far, and which of them hold small ids.

The generator draws operands from it, so that nothing undefined is read and every gathered id lies below its limit.
"""

import numpy as np
from numpy.typing import NDArray

from ga2.golden.resolve import Access, Resolved

Run = tuple[int, int]  # words [lo, hi)


def touched(access: Access) -> slice | NDArray[np.int64]:
    """The words of an operand, as an index."""
    if access.rows == 1 or access.pitch == access.words:
        return slice(access.start, access.start + access.rows * access.words)
    return (access.start + access.pitch * np.arange(access.rows)[:, np.newaxis] + np.arange(access.words)).reshape(-1)


class Pad:
    """`bound[word]` is 0 where nothing is known of a word's value, else an id below it lies there."""

    def __init__(self, words: int) -> None:
        self.defined: NDArray[np.bool_] = np.zeros(words, np.bool_)
        self.bound: NDArray[np.int64] = np.zeros(words, np.int64)
        self._runs: dict[bool, list[Run]] = {}

    def define(self, at: slice | NDArray[np.int64], bound: int = 0) -> None:
        """These words are written; with `bound`, each with an id below it."""
        self.defined[at] = True
        self.bound[at] = bound
        self._runs.clear()

    def runs(self, ids: bool = False) -> list[Run]:
        """The longest runs of defined words, or of `ids`, in address order."""
        if ids not in self._runs:
            wanted = self.bound > 0 if ids else self.defined
            edges = np.flatnonzero(np.diff(np.concatenate(([False], wanted, [False]))))
            self._runs[ids] = [(int(lo), int(hi)) for lo, hi in edges.reshape(-1, 2)]
        return self._runs[ids]

    def reads_defined(self, resolved: Resolved) -> bool:
        """Whether every word that the instruction reads is defined."""
        return all(bool(self.defined[touched(access)].all()) for access in resolved.reads)

    def ids_below(self, access: Access) -> int:
        """The smallest known bound of the ids in an operand; 0 if some word holds none."""
        bounds = self.bound[touched(access)]
        return int(bounds.max()) if bounds.all() else 0

    def apply(self, resolved: Resolved, loaded: int = 0) -> None:
        """What the instruction leaves behind. `loaded` is the bound of the ids that a load brings, if it brings ids."""
        if resolved.no_op:
            return
        op = resolved.instruction.op
        for access in resolved.writes:
            self.define(touched(access), resolved.dims["n"] if op == "AMAX" else loaded)
