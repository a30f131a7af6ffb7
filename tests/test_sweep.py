# SPDX-License-Identifier: Apache-2.0
"""When speculation pays: the formula, the recorded grid and serving table, and the command that measures it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ga2.cli import main
from ga2.decoding import Outcome
from ga2.sweep import grid, serving
from ga2.sweep.formula import best_k, chip_speedup, expected_tokens, serving_speedup
from ga2.sweep.grid import GOLDEN, cells, costs, measured, problems, recorded_grid, run

SHARES = st.floats(0, 1)


@given(SHARES, st.integers(0, 20))
def test_expected_tokens_are_the_mean_of_the_accepted_prefix_and_one(acceptance: float, k: int) -> None:
    """By the distribution of the number accepted: j with probability a^j (1 - a), all k with a^k."""
    mean = sum((j + 1) * acceptance**j * (1 - acceptance) for j in range(k)) + (k + 1) * acceptance**k
    assert expected_tokens(acceptance, k) == pytest.approx(mean)
    assert 1 <= expected_tokens(acceptance, k) <= k + 1


def test_the_ends_of_the_formula() -> None:
    assert expected_tokens(0, 5) == 1 and expected_tokens(1, 5) == 6
    assert expected_tokens(0.3, 2) == pytest.approx(1 + 0.3 + 0.09)
    assert round(serving_speedup(0.8, 4, 0.05), 2) == 2.80
    for acceptance, k in ((-0.1, 1), (1.1, 1), (0.5, -1)):
        with pytest.raises(ValueError, match="expected 0 to 1"):
            expected_tokens(acceptance, k)


@given(SHARES, st.integers(1, 15), st.integers(1, 5000), st.integers(0, 5000))
def test_a_chip_whose_pass_costs_a_step_is_the_serving_formula(a: float, k: int, plain: int, draft: int) -> None:
    assert chip_speedup(a, k, plain, draft, plain) == pytest.approx(serving_speedup(a, k, draft / plain))


@pytest.mark.parametrize(("c", "k"), [(0.05, 10), (0.15, 6), (0.4, 3)])
def test_the_recorded_best_k_at_an_acceptance_of_85_percent(c: float, k: int) -> None:
    assert best_k(lambda guesses: serving_speedup(0.85, guesses, c), 10) == k


@given(SHARES, st.floats(0.01, 2))
def test_the_best_k_rises_with_acceptance_and_falls_with_the_cost(acceptance: float, c: float) -> None:
    def best(a: float, cost: float) -> int:
        return best_k(lambda k: serving_speedup(a, k, cost), 10)

    k = best(acceptance, c)
    assert best(min(1.0, acceptance + 0.1), c) >= k >= best(acceptance, c + 0.2)
    assert (serving_speedup(acceptance, k, c) if k else 1) >= 1


def test_the_serving_table_is_the_recorded_one() -> None:
    assert len(serving.serving_rows()) == 9
    assert serving.problems() == []


def test_a_serving_table_that_the_formula_does_not_give_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "serving.csv"
    path.write_text(serving.SERVING.read_text().replace("2.80", "2.81"))
    monkeypatch.setattr(serving, "SERVING", path)
    (line,) = serving.problems()
    assert line.startswith("acceptance 0.8, k = 4: (3.23, 2.8, 2.1)")


def test_the_grid_on_the_golden_model_is_the_recorded_one() -> None:
    found = measured("nano")
    assert len(found) == 25
    assert [cell.counts for cell in found] == [row.counts for row in recorded_grid()]


def test_every_kind_of_deviation_is_told() -> None:
    rows = [row for row in recorded_grid() if row.noise == 3 and row.k == 1]
    plain, good = run("nano", GOLDEN, rows, lambda *_: None)
    assert problems(rows, [plain, good]) == []

    def told(change: dict, base: Outcome = good) -> str:
        seen = [plain, replace(base, **change)] if base is good else [replace(base, **change), good]
        return "; ".join(problems(rows, seen))

    assert "noise 3, k = 1: accepted, proposed, blocks (15, 17, 17), recorded (16, 17, 17)" in told({"accepted": 15})
    assert "acceptance 15 of 17, recorded 94 %" in told({"accepted": 15})
    assert "the tokens differ" in told({"tokens": [*good.tokens[:-1], 99]})
    assert "differs from golden: here" in told({"golden_match": False, "difference": "here"})
    assert "plain: differs from golden: there" in told({"golden_match": False, "difference": "there"}, plain)
    (cell,) = cells("nano", rows, [plain, good])
    assert cell.measured == plain.cycles / good.cycles and cell.acceptance == 16 / 17
    assert cell.predicted == pytest.approx(costs("nano").speedup(16 / 17, 1))


def test_the_formula_is_close_where_guesses_are_right() -> None:
    """k up to 3: one row tile, and a last block that is used nearly whole."""
    for cell in measured("nano"):
        if cell.recorded.k <= 3 and cell.acceptance > 0.9:
            assert cell.predicted == pytest.approx(cell.measured, rel=0.07)


def ended(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.argv", ["ga2", "sweep", *arguments])
    return main._run()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--sim", "vcs"), "choose one of golden, icarus, verilator"),
        (("--config", "huge"), "choose one of nano, wide, small, base"),
        (("--noise", "7"), "no noise 7: the grid has 0, 3, 4, 5, 6"),
        (("--noise", "0", "--noise", "nan"), "no noise nan: the grid has 0, 3, 4, 5, 6"),
        (("--k", "1", "--k", "9"), "no k 9: the grid has 1, 2, 3, 4, 5"),
        (("--plot", "grid.png"), "--plot grid.png: the name of a picture ends in .svg"),
        (("--json", "nowhere/a.json"), "cannot write nowhere/a.json"),
    ],
)
def test_bad_use_is_refused_in_one_line(
    arguments: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(*arguments, monkeypatch=monkeypatch) == 2
    seen = capsys.readouterr()
    assert seen.out == "" and words in seen.err and len(seen.err.strip().splitlines()) == 1


def test_some_cells_as_json_and_as_a_picture(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    picture = tmp_path / "grid.svg"
    arguments = ("--noise", "0", "--k", "1", "--json", "-", "--plot", str(picture))
    assert ended(*arguments, monkeypatch=monkeypatch) == 0
    found = json.loads(capsys.readouterr().out)
    assert [cell["counts"] for cell in found["cells"]] == [[16, 16, 16]]
    assert found["serving"][4]["computed"] == [3.23, 2.8, 2.1]
    assert picture.read_text().startswith("<?xml")


def test_a_cell_that_is_not_as_recorded_fails_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "grid.csv"
    path.write_text(grid.GRID.read_text().replace("0,1,16,16,16,100", "0,1,15,16,16,100"))
    monkeypatch.setattr(grid, "GRID", path)
    assert ended("--noise", "0", "--k", "1", monkeypatch=monkeypatch) == 1
    told = "ga2: noise 0, k = 1: accepted, proposed, blocks (16, 16, 16), recorded (15, 16, 16)"
    assert told in capsys.readouterr().err
