# SPDX-License-Identifier: Apache-2.0
"""Files that a campaign left and somebody damaged: one line names the file, and nothing is simulated."""

from pathlib import Path

import pytest

from ga2.coverage.holes import load_holes
from ga2.slices.cross import reported_holes

NO_JSON = {"empty": b"", "cut": b'["a', "binary": b"\xff\xfe", "deep": b"[" * 100_000}


@pytest.mark.parametrize("data", [*NO_JSON.values(), b"{}", b"[1]"], ids=[*NO_JSON, "no list", "no names"])
def test_holes_that_are_none(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    (tmp_path / "coverage").mkdir()
    (tmp_path / "coverage" / "holes.json").write_bytes(data)
    for read in (load_holes, reported_holes):
        with pytest.raises(ValueError, match=r"holes\.json: must be a list of names"):
            read()
