# SPDX-License-Identifier: Apache-2.0
"""Progress where there is no terminal: a line now and then instead of a bar."""

import pytest

from ga2.cli import progress
from ga2.decoding import Request


def test_a_log_gets_lines_and_not_too_many(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    now = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    with progress.steps_bar("slices", 4000, "graphs") as report:
        for step in range(1, 21):
            now[0] = 10.0 * step
            report(100 * step)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(",")[0] for line in lines] == ["slices: 600 of 4", "slices: 1", "slices: 1"]
    assert all(" of 4,000 graphs" in line for line in lines)


def test_tokens_of_later_requests_come_on_top(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0)
    with progress.tokens_bar("nano", [Request(tokens=5), Request(tokens=7)]) as report:
        report(0, 5, 5)
        report(1, 3, 7)
    assert capsys.readouterr().err.splitlines()[-1].startswith("nano: 8 of 12 tokens")
