# SPDX-License-Identifier: Apache-2.0
"""`ga2 compile-speed` measures what it says; how long that takes is no matter of a test."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from capra import tune
from capra.work import Choice, Unit, Work
from ga2.cli import compile_speed as command
from ga2.cli import main
from ga2.compiling import speed
from ga2.compiling.speed import Figure


def test_the_large_model_has_the_weights_that_its_name_says() -> None:
    graph, ranges = speed.large_graph()
    assert speed.streamed_weights(graph) == 119_808
    assert {"x", "q", "scores", "logits"} <= set(ranges)


def test_every_repetition_does_the_whole_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compilation that remembers the last one's choice would look fast."""
    tried = []
    choose = tune.choose

    def counted(work: Work, unit: Unit) -> Choice:
        tried.append(unit)
        return choose(work, unit)

    monkeypatch.setattr(tune, "choose", counted)
    graphs, ranges = speed.tiny_graphs()
    draft = next(graph for graph in graphs if graph.name == "draft_table")
    figure = speed.best("a draft", 1.0, 3, lambda: speed.compiled("nano", draft, dict(ranges)))
    assert len(tried) == 3 and figure.repetitions == 3
    assert 0 < figure.seconds


def test_a_figure_beyond_its_limit_ends_with_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def measured(repetitions: int) -> Iterator[Figure]:
        yield Figure("quick", 0.1, 0.2, 0.3, repetitions)
        yield Figure("slow", 0.4, 0.5, 0.3, repetitions)

    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    monkeypatch.setattr(command, "figures", measured)
    monkeypatch.setattr("sys.argv", ["ga2", "compile-speed", "--repetitions", "2"])
    assert main._run() == 1
    out, err = capsys.readouterr()
    assert err == "ga2: too long: slow\n" and out.count("TOO LONG") == 1
    stored = json.loads((tmp_path / "compile_speed" / "summary.json").read_text())["figures"]
    found = [(each["name"], each["met"], each["repetitions"]) for each in stored]
    assert found == [("quick", True, 2), ("slow", False, 2)]


def test_no_repetitions_are_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["ga2", "compile-speed", "--repetitions", "0"])
    assert main._run() == 2
    assert "1 to 1000" in capsys.readouterr().err
