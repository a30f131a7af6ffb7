# SPDX-License-Identifier: Apache-2.0
"""Broken versions: the tables fit the sources, a few changes are played, and what counts as killed."""

import json
from pathlib import Path

import pytest
import typer
import yaml

from ga2.cli import mutants as command
from ga2.cli.errors import UserError
from ga2.mutants import play as playing
from ga2.mutants.play import Outcome, play
from ga2.mutants.table import PARTS, Mutant, mutants
from ga2.sim.sources import ROOT

RECORDED = (
    "the view starts at the beginning of its source",
    "the offset is counted in words, not rows",
    "the shape keeps the source's row count",
    "the interpreter takes one row too many",
    "the float evaluation takes one row too few",
    "the scale is not tied to the source's",
    "a range past the end is accepted",
    "an empty slice is accepted",
    "a slice may feed a concatenation",
    "the source is not loaded before its view is used",
)
JUDGE = "tests/test_capra_slices.py::test_slices_outside_the_tensor_or_empty_are_refused[0-7]"
HARMLESS = Mutant(
    name="harmless", file="compiler/capra/shapes.py", text="start, count = node.start, node.shape.rows\n",
    replacement="count, start = node.shape.rows, node.start\n", judge=JUDGE,
)  # fmt: skip
GOOD = HARMLESS.model_dump()
COMPILER, SPECULATION = PARTS["compiler"], PARTS["speculation"]


def test_all_recorded_ones_are_there_and_one_is_equivalent() -> None:
    found = mutants(COMPILER.table)
    assert set(RECORDED) <= {each.name for each in found if not each.equivalent}
    assert [each.name for each in found if each.equivalent] == [
        "a slice first gets a buffer of its own, which the view replaces"
    ]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"text": "nowhere to be found"}, "occurs 0 times in compiler/capra/shapes.py"),
        ({"text": "node"}, "and not once"),
        ({"replacement": GOOD["text"]}, "text and replacement are the same"),
        ({"file": "sw/ga2/nothing.py"}, "there is no sw/ga2/nothing.py"),
        ({"file": "compiler/capra/../setup.py"}, "String should match"),
        ({"file": "setup.py"}, "String should match"),
        ({"judge": "verif/unit"}, "String should match"),
        ({"remark": "?"}, "Extra inputs"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(change: dict[str, str], complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "table.yaml"
    path.write_text(yaml.safe_dump([GOOD | change]))
    with pytest.raises(ValueError, match=complaint):
        mutants(path)
    path.write_text(yaml.safe_dump([GOOD, GOOD]))
    with pytest.raises(ValueError, match="two are called 'harmless'"):
        mutants(path)


def test_a_broken_compiler_is_killed_by_its_judge() -> None:
    mutant = next(each for each in mutants(COMPILER.table) if each.name == "a range past the end is accepted")
    source = ROOT / mutant.file
    before = source.read_text()
    outcome = play(mutant, [])
    assert outcome.killed and not outcome.problem and "DID NOT RAISE" in outcome.says
    assert source.read_text() == before


def test_a_broken_accept_rule_is_killed_by_its_judge() -> None:
    mutant = next(each for each in mutants(SPECULATION.table) if each.name == "one more accepted than agreed")
    outcome = play(mutant, [])
    assert outcome.killed and not outcome.problem and outcome.says.startswith("AssertionError")


def test_a_change_that_breaks_nothing_survives() -> None:
    outcome = play(HARMLESS, [])
    assert not outcome.killed and outcome.problem == f"survives: {JUDGE} passes"


def test_a_compiler_that_cannot_be_imported_is_no_verdict() -> None:
    outcome = play(HARMLESS.model_copy(update={"replacement": "start count\n"}), [])
    assert not outcome.killed and outcome.problem.startswith("no verdict: pytest ended with")


def test_an_equivalent_change_that_a_test_sees_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "run", lambda *_: (playing.FAILED, "seen"))
    outcome = play(HARMLESS.model_copy(update={"equivalent": "so I thought"}), [JUDGE])
    assert outcome.problem == "is called equivalent, and a test sees it"


def test_the_command_fails_where_one_survives(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def outcome(mutant: Mutant, _judges: list[str]) -> Outcome:
        alive = mutant.name == RECORDED[1]
        killed = not (alive or mutant.equivalent)
        return Outcome(mutant, killed, "seen" if killed else "", "survives" if alive else "")

    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    monkeypatch.setattr(command, "run", lambda _: (0, ""))
    monkeypatch.setattr(command, "play", outcome)
    with pytest.raises(typer.Exit) as ended:
        command.command()
    assert ended.value.exit_code == 1
    out, err = capsys.readouterr()
    again = f".venv/bin/ga2 mutants --over compiler --only '{RECORDED[1]}'"
    assert "ALIVE" in out and f"to reproduce: {again}" in err
    for part, missed in ((COMPILER, 1), (SPECULATION, 0)):
        found = json.loads((tmp_path / "mutants" / f"{part.name}.json").read_text())
        assert found["killed"] == found["total"] - missed == len(mutants(part.table)) - 1 - missed
        assert found["equivalents"][0]["survives"] and found["equivalents"][0]["reason"]
        assert {each["judge"] for each in found["mutants"]} <= {each.judge for each in mutants(part.table)}


def test_judges_that_fail_without_a_change_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "run", lambda _: (1, "assert 1 == 2"))
    with pytest.raises(typer.Exit):
        command.command(chosen=RECORDED[0])
    assert "the judges do not pass on the sources as they are: assert 1 == 2" in capsys.readouterr().err
    with pytest.raises(UserError, match="no broken version has 'nonsense'"):
        command.command(chosen="nonsense")
    with pytest.raises(UserError, match="no broken versions of 'rtl': choose one of compiler, speculation"):
        command.command(over=["rtl"])
