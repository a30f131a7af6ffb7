# SPDX-License-Identifier: Apache-2.0
"""Memory contents as `$readmemh` and `$writememh` files. One line is one entry, its highest byte first.

A byte that the simulator does not know (x) reads as zero and is marked unknown.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

Bytes = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
Mask = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

_COMMENT = re.compile(rb"//[^\n]*|@[^\n]*")


def read_entries(path: Path, entries: int, entry_bytes: int) -> tuple[Bytes, Mask]:
    """A whole dumped memory: its bytes in address order, and a mask of the known ones; both [entries*entry_bytes].

    ValueError if the file holds another number of digits.
    """
    digits = _COMMENT.sub(b"", path.read_bytes()).translate(None, b" \r\n").lower()
    if len(digits) != 2 * entries * entry_bytes:
        raise ValueError(f"{path}: {len(digits)} hex digits, expected {entries} entries of {entry_bytes} bytes")
    text = np.frombuffer(digits, dtype=np.uint8)
    unknown = (text == ord("x")) | (text == ord("z"))
    if unknown.any():
        digits = np.where(unknown, ord("0"), text).astype(np.uint8).tobytes()
    data = np.frombuffer(bytes.fromhex(digits.decode()), np.uint8)

    def lowest_first(values: np.ndarray) -> np.ndarray:
        return values.reshape(entries, entry_bytes)[:, ::-1].reshape(-1)

    return lowest_first(data).copy(), lowest_first(~unknown.reshape(-1, 2).any(axis=1)).copy()


def write_entries(path: Path, memory: Bytes | bytearray, entries: Iterable[int], entry_bytes: int) -> None:
    """Write the named entries of `memory` (indices, ascending) for a partial `$readmemh`."""
    indices = np.fromiter(entries, np.int64)
    data = np.frombuffer(bytes(memory), np.uint8)[: len(memory) // entry_bytes * entry_bytes].reshape(-1, entry_bytes)
    parts = []
    for run in np.split(indices, np.flatnonzero(np.diff(indices) != 1) + 1):
        if len(run):
            highest_first = data[run[0] : run[-1] + 1, ::-1].tobytes()
            parts.append(f"@{run[0]:x}\n{highest_first.hex(chr(10), entry_bytes)}")
    path.write_text("\n".join(parts) + "\n")
