# SPDX-License-Identifier: Apache-2.0
"""The constant memory: one entry a column, loaded with the programs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ga2.isa.encoding import Constant


class Columns(NamedTuple):
    """The constants of a run of columns, each int64 [n]."""

    bias: NDArray[np.int64]
    mult: NDArray[np.int64]
    shift: NDArray[np.int64]
    rfac: NDArray[np.int64]


class ConstantMemory:
    """`depth` entries, undefined until loaded; here zero."""

    def __init__(self, depth: int) -> None:
        self._values: NDArray[np.int64] = np.zeros((len(Columns._fields), depth), np.int64)

    def load(self, constants: list[Constant]) -> None:
        """Replace the first entries."""
        for index, constant in enumerate(constants):
            self._values[:, index] = [getattr(constant, name) for name in Columns._fields]

    def columns(self, first: int, count: int) -> Columns:
        """Entries first .. first + count - 1."""
        return Columns(*self._values[:, first : first + count])
