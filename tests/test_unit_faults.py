# SPDX-License-Identifier: Apache-2.0
"""The seeded faults: every table fits the sources, a few of them are played, and what counts as seen."""

from pathlib import Path

import pytest
import typer
import yaml

from ga2.cli import mistakes, unit_faults
from ga2.cli.errors import UserError
from ga2.fusesoc.core_file import units
from ga2.seeded.mistake import Mistake
from ga2.seeded.play import Seen, play
from ga2.seeded.tables import faults_of

GOOD = {
    "name": "harmless",
    "file": "ga2_fifo.sv",
    "text": "assign empty_o = count_q == '0;",
    "replacement": "assign empty_o = !(|count_q);",
    "why": "the same in other words",
}
PLAYED = [("fifo", "full one entry early"), ("exp", "the result is cut and not rounded")]


def harmless(folder: Path) -> Mistake:
    """As read from a table."""
    (folder / "fifo").mkdir()
    others = [GOOD | {"name": "second"}, GOOD | {"name": "third"}]
    (folder / "fifo" / "faults.yaml").write_text(yaml.safe_dump([GOOD, *others]))
    return faults_of("fifo", folder)[0]


@pytest.mark.parametrize("unit", units())
def test_every_unit_has_faults_that_fit_its_sources(unit: str) -> None:
    for fault in faults_of(unit):
        assert fault.broken() and fault.caught_by == unit


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"text": "nowhere to be found"}, "occurs 0 times in rtl/ga2_fifo.sv"),
        ({"text": "count_q"}, "occurs 8 times in rtl/ga2_fifo.sv"),
        ({"replacement": GOOD["text"]}, "text and replacement are the same"),
        ({"file": "ga2_exp.sv"}, "the bench does not compile rtl/ga2_exp.sv"),
        ({"file": "/etc/passwd"}, "faults.yaml"),
        ({"remark": "?"}, "faults.yaml"),
        ({"why": ""}, "faults.yaml"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(change: dict[str, str], complaint: str, tmp_path: Path) -> None:
    others = [GOOD | {"name": "second"}, GOOD | {"name": "third"}]
    (tmp_path / "fifo").mkdir()
    (tmp_path / "fifo" / "faults.yaml").write_text(yaml.safe_dump([GOOD | change, *others]))
    with pytest.raises(ValueError, match=complaint):
        faults_of("fifo", tmp_path)


def test_too_few_faults_two_of_a_name_and_no_table_are_refused(tmp_path: Path) -> None:
    (tmp_path / "fifo").mkdir()
    with pytest.raises(ValueError, match="no faults.yaml"):
        faults_of("fifo", tmp_path)
    table = tmp_path / "fifo" / "faults.yaml"
    table.write_text(yaml.safe_dump([GOOD]))
    with pytest.raises(ValueError, match="1 seeded faults, and not 3 or more"):
        faults_of("fifo", tmp_path)
    table.write_text(yaml.safe_dump([GOOD] * 3))
    with pytest.raises(ValueError, match="3 are called 'harmless'"):
        faults_of("fifo", tmp_path)


@pytest.mark.simulation
@pytest.mark.parametrize(("unit", "name"), PLAYED)
def test_a_seeded_fault_is_seen(unit: str, name: str) -> None:
    fault = next(fault for fault in faults_of(unit) if fault.name == name)
    seen = play(fault, "icarus")
    assert not seen.problem and seen.checkers[unit].startswith(f"test_{unit}[") and ": " in seen.checkers[unit]


@pytest.mark.simulation
def test_a_change_that_is_no_fault_survives(tmp_path: Path) -> None:
    seen = play(harmless(tmp_path), "icarus")
    assert seen.problem == "survives: every test passed" and not seen.checkers


@pytest.mark.simulation
def test_a_fault_that_does_not_compile_is_seen_by_nobody(tmp_path: Path) -> None:
    seen = play(harmless(tmp_path).model_copy(update={"replacement": "assign empty_o = ;"}), "icarus")
    assert seen.problem.startswith("does not compile: icarus could not build ga2_fifo") and not seen.checkers


def test_the_command_fails_where_a_fault_survives(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def seen(fault: Mistake, _sim: str) -> Seen:
        bad = "survives" if fault.name == "full one entry early" else ""
        return Seen(fault, {"fifo": "test_fifo[icarus-2]: random_traffic"}, problem=bad)

    monkeypatch.setattr(mistakes, "play", seen)
    with pytest.raises(typer.Exit) as ended:
        unit_faults.command(["fifo"])
    assert ended.value.exit_code == 1
    out, err = capsys.readouterr()
    assert "4 faults, 3 seen" in out and "fifo              survives\n" in out and "test_fifo[icarus-2]" in out
    assert "to reproduce: .venv/bin/ga2 unit-faults fifo --fault 'full one entry early' --sim icarus" in err
    unit_faults.command(["fifo"], fault="wraps")


def test_what_is_not_there_is_bad_input() -> None:
    with pytest.raises(UserError, match="unknown unit 'nonsense': choose from amax, "):
        unit_faults.command(["nonsense"])
    with pytest.raises(UserError, match="no seeded fault has 'nonsense' in its name"):
        unit_faults.command(["fifo"], fault="nonsense")
    with pytest.raises(UserError, match="unknown simulator 'nonsense'"):
        unit_faults.command(["fifo"], sim="nonsense")
