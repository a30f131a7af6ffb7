# SPDX-License-Identifier: Apache-2.0
"""The scratchpad: words of COLS bytes, read and written in rows, and which words were ever written."""

import numpy as np
from numpy.typing import NDArray

UInt8 = NDArray[np.uint8]
VALUE_BYTES = 4


class Scratchpad:
    """`words` words of `cols` bytes. Their contents are undefined at reset; here they are zero until written.

    `undefined` collects the names of operands that were read where nothing was written yet. With `record` a list,
    every write is appended to it as (word addresses [n], bytes [n, cols]).
    """

    def __init__(self, words: int, cols: int) -> None:
        self.cols = cols
        self.data: UInt8 = np.zeros((words, cols), np.uint8)
        self.written: NDArray[np.bool_] = np.zeros(words, np.bool_)
        self.undefined: list[str] = []
        self.record: list[tuple[NDArray[np.int64], UInt8]] | None = None

    @staticmethod
    def _index(start: int, pitch: int, rows: int, words: int) -> slice | NDArray[np.int64]:
        """The words of `rows` rows: a slice when they lie one behind the other, which numpy copies much faster."""
        if rows == 1 or pitch == words:
            return slice(start, start + rows * words)
        return (start + pitch * np.arange(rows)[:, np.newaxis] + np.arange(words)).reshape(-1)

    def rows(self, name: str, start: int, pitch: int, rows: int, words: int) -> UInt8:
        """A copy of operand `name`: uint8 [rows, words*cols]."""
        at = self._index(start, pitch, rows, words)
        if not self.written[at].all():
            self.undefined.append(name)
        return self.data[at].reshape(rows, words * self.cols).copy()

    def values(self, name: str, start: int, pitch: int, rows: int) -> NDArray[np.int64]:
        """One unsigned 32-bit value a row, from the four low bytes of its word: int64 [rows]."""
        raw = np.ascontiguousarray(self.rows(name, start, pitch, rows, 1)[:, :VALUE_BYTES])
        return raw.view("<u4")[:, 0].astype(np.int64)

    def write_rows(self, start: int, pitch: int, data: NDArray[np.uint8] | NDArray[np.int8]) -> None:
        """Write rows of bytes [rows, n], the padding of each row's last word as zero."""
        rows, size = data.shape
        words = -(-size // self.cols)
        padded = np.zeros((rows, words * self.cols), np.uint8)
        padded[:, :size] = data.view(np.uint8)
        at = self._index(start, pitch, rows, words)
        self.data[at] = padded.reshape(-1, self.cols)
        self.written[at] = True
        if self.record is not None:
            self.record.append((np.arange(len(self.written))[at], padded.reshape(-1, self.cols)))

    def write_values(self, start: int, pitch: int, values: NDArray[np.int64]) -> None:
        """Write one 32-bit value a row, in a word of its own, zeros above it."""
        data = np.zeros((len(values), self.cols), np.uint8)
        data[:, :VALUE_BYTES] = values.astype("<u4").view(np.uint8).reshape(-1, VALUE_BYTES)
        self.write_rows(start, pitch, data)
