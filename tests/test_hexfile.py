# SPDX-License-Identifier: Apache-2.0
"""Memory files: what the simulators write is read back, and partial loads hold what was asked for."""

from pathlib import Path

import numpy as np
import pytest

from ga2.device.hexfile import read_entries, write_entries


def test_entries_are_highest_byte_first(tmp_path: Path) -> None:
    path = tmp_path / "a.hex"
    path.write_text("// 0x00000000\n03020100\n07060504\n")
    data, known = read_entries(path, 2, 4)
    assert data.tolist() == list(range(8))
    assert known.all()


def test_unknown_digits_mark_their_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.hex"
    path.write_text("xxxx01x0 0a0b0c0d")
    data, known = read_entries(path, 2, 4)
    assert known.tolist() == [False, True, False, False, True, True, True, True]
    assert data[known].tolist() == [1, 0x0D, 0x0C, 0x0B, 0x0A]


def test_a_short_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.hex"
    path.write_text("00000000\n")
    with pytest.raises(ValueError, match="expected 2 entries of 4 bytes"):
        read_entries(path, 2, 4)


def test_partial_load_names_the_address_of_every_gap(tmp_path: Path) -> None:
    path = tmp_path / "a.hex"
    memory = np.arange(64, dtype=np.uint8)
    write_entries(path, memory, [1, 2, 10], 4)
    assert path.read_text().split() == ["@1", "07060504", "0b0a0908", "@a", "2b2a2928"]
