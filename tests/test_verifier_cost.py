# SPDX-License-Identifier: Apache-2.0
"""The cost of a verifier pass: predictions beside the golden device, what the curve promises, the files written."""

import csv
import io

import pytest

from ga2.cli import cost as command
from ga2.cli import main
from ga2.cost.document import HEADER, csv_text
from ga2.cost.measure import Measured, problems
from ga2.cost.plot import svg
from ga2.cost.points import CACHES, block_sizes, curve, passes, point, predicted
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.spec import CONFIG_NAMES, load_config
from ga2.stimulus import Step, build_session, run_steps

NANO_STEP = 1.15  # a pass of ROWS rows on 12 cached rows over a plain step, at most: promised


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_the_prediction_is_the_golden_devices(config):
    session = build_session(config)
    steps = [Step("target", length, tuple(range(m))) for length, m in ((0, 1), (12, 5), (64, 8), (256, 3))]
    player = run_sync(run_steps(GoldenDevice(session.config), session, steps))
    for step, run in zip(steps, player.runs, strict=True):
        assert predicted(config, step.length, step.m) == run.result.counters


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_a_pass_never_costs_more_than_its_steps(config):
    for cache in CACHES:
        points = curve(config, cache)
        assert [at.rows for at in points] == list(block_sizes(load_config(config)))
        cycles = [at.cycles for at in points]
        assert cycles == sorted(cycles)
        assert all(at.saving > 1 for at in points[1:]) and points[0].saving == points[0].relative == 1
        assert points[1].steps == predicted(config, cache, 1)["total"] + predicted(config, cache + 1, 1)["total"]


def test_the_promise_for_nano():
    assert point("nano", 12, load_config("nano").rows).relative <= NANO_STEP


def test_the_array_steps_twice_as_long_from_rows_plus_one_on():
    for name in ("nano", "wide", "small"):
        rows = load_config(name).rows
        for cache in CACHES:
            stepping = [predicted(name, cache, m)["part_array"] for m in (rows, rows + 1)]
            assert 1.9 <= stepping[1] / stepping[0] <= 2.25


@pytest.mark.parametrize(("config", "row"), [("base", 5), ("small", 5), ("small", 13)])
def test_the_scores_take_another_column_tile(config, row):
    """The small steps that docs/user/verifier-cost.md explains: LEN + M crosses a multiple of COLS."""
    stepping = [predicted(config, CACHES[0], m)["part_array"] for m in (row - 2, row - 1, row)]
    assert stepping[0] == stepping[1] < stepping[2]
    assert (CACHES[0] + row - 1) % load_config(config).cols == 0


def test_a_program_that_would_fault_is_named():
    with pytest.raises(ValueError, match="nano: a target pass with LEN = 12, M = 3000 faults"):
        predicted("nano", 12, 3000)


def test_csv_holds_every_point():
    rows = list(csv.DictReader(io.StringIO(csv_text())))
    assert tuple(rows[0]) == HEADER
    assert len(rows) == sum(len(CACHES) * len(block_sizes(load_config(name))) for name in CONFIG_NAMES)


def test_the_picture_has_the_same_bytes_every_time():
    assert svg() == svg()


def test_every_program_of_a_curve_is_measured():
    assert {(cache, m) for cache in CACHES for m in range(1, 9)} <= set(passes("nano"))
    assert {(cache + row, 1) for cache in CACHES for row in range(8)} <= set(passes("nano"))


def test_a_counter_that_differs_is_named():
    sound = predicted("nano", 12, 5)
    assert problems("nano", [Measured(12, 5, sound, None)]) == []
    (line,) = problems("nano", [Measured(12, 5, {**sound, "softmax": 1}, None)])
    assert line == f"LEN = 12, M = 5: softmax 1, predicted {sound['softmax']}"
    assert problems("nano", [Measured(12, 5, sound, "byte 3")]) == ["LEN = 12, M = 5: byte 3"]


def run(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["ga2", "verifier-cost", *arguments])
    return main._run()


def test_command_writes_what_it_is_asked_for(monkeypatch, capsys, tmp_path):
    points, picture = tmp_path / "points.csv", tmp_path / "picture.svg"
    assert run(monkeypatch, "--config", "wide", "--csv", str(points), "--plot", str(picture)) == 0
    assert "wide: 4 x 8" in capsys.readouterr().out
    assert points.read_text() == csv_text(("wide",))
    assert picture.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--config", "huge"), "nano, wide, small, base"),
        (("--backend", "fpga"), "golden, rtl"),
        (("--sim", "vcs"), "icarus"),
        (("--plot", "cost.png"), "ends in .svg"),
    ],
)
def test_bad_use_writes_nothing(arguments, word, monkeypatch, capsys, tmp_path):
    path = tmp_path / "points.csv"
    assert run(monkeypatch, *arguments, "--csv", str(path)) == 2
    assert word in capsys.readouterr().err
    assert not path.exists()


def test_a_difference_on_the_rtl_ends_with_one(monkeypatch, capsys):
    sound = predicted("nano", 12, 5)
    monkeypatch.setattr(command, "measure", lambda *_: [Measured(12, 5, {**sound, "total": 0}, None)])
    assert run(monkeypatch, "--config", "nano", "--backend", "rtl") == 1
    assert "nano in verilator: LEN = 12, M = 5: total 0, predicted" in capsys.readouterr().err
