# SPDX-License-Identifier: Apache-2.0
"""The summary of the campaigns of generated programs, and what the command line says to bad use."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ga2.cli.main import app
from ga2.generated.summary import entry, merge
from ga2.sim.campaign import Case

MEASURED = {"instructions": 40, "opcodes": ["LD", "HALT"], "overlap": True, "cycles": 900, "end": "halt"}


def case(number: int, passed: bool = True, **measured) -> Case:
    if passed:
        return Case(number, f"seed {number}", True, measured={**MEASURED, **measured})
    return Case(number, f"seed {number}", False, "differs")


def test_an_entry_counts_what_ran_and_what_differed():
    made = entry(range(3, 6), [case(3), case(4, passed=False), case(5, overlap=False, instructions=20)], 2.0)
    assert (made["programs"], made["mismatches"], made["failed_seeds"]) == (3, 1, [4])
    assert made["seeds"] == [3, 5] and made["programs_per_second"] == 1.5
    assert made["median_instructions"] == 30 and made["overlap_share"] == 0.5
    assert made["opcode_share"] == {"HALT": 1.0, "LD": 1.0} and made["endings"] == {"halt": 2}


def test_entries_are_merged_and_replaced(tmp_path):
    path = tmp_path / "random" / "summary.json"
    merge("nano verilator default", entry(range(1), [case(0)], 1.0), path)
    merge("nano icarus default", entry(range(2), [case(0), case(1, passed=False)], 1.0), path)
    merge("nano verilator default", entry(range(3), [case(0), case(1), case(2)], 1.0), path)
    read = json.loads(path.read_text())
    assert (read["programs"], read["mismatches"]) == (5, 1)
    assert list(read["campaigns"]) == ["nano icarus default", "nano verilator default"]


def test_a_spoilt_summary_is_written_anew(tmp_path):
    path = tmp_path / "summary.json"
    path.write_text("{")
    merge("a", entry(range(1), [case(0)], 1.0), path)
    assert list(json.loads(path.read_text())["campaigns"]) == ["a"]


def test_nothing_passed_is_an_entry_too():
    made = entry(range(1), [case(0, passed=False)], 1.0)
    assert made["mismatches"] == 1 and "median_instructions" not in made


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["random", "--settings", "none"], "unknown settings 'none': choose one of base, collisions"),
        (["random", "--sim", "vcs"], "unknown simulator 'vcs': choose one of icarus, verilator"),
        (["random", "--config", "huge"], "unknown configuration 'huge': choose one of nano"),
        (["random", "--steer"], "holes.json is not there; `ga2 coverage` writes it"),
        (["replay", "9" * 5000], "a seed has at most 100 digits, not 5000"),
        (["slices", "--show", "1", "--replay", "none.json"], "choose one of them"),
        (["replay", "none.json"], "none.json: neither a seed, which is a whole number, nor a file"),
    ],
)
def test_bad_use_is_said_before_anything_is_built(arguments, complaint, monkeypatch, tmp_path):
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    result = CliRunner().invoke(app, arguments)
    assert complaint in str(result.exception)
    assert not list(Path(tmp_path).iterdir())


@pytest.mark.parametrize(
    "arguments",
    [("random", "--programs"), ("faults", "--cases"), ("stalls", "--programs"), ("slices", "--graphs"),
     ("coverage", "--size")],
)  # fmt: skip
@pytest.mark.parametrize("number", ["0", "-1", "1000001", "9" * 30])
def test_a_campaign_has_a_size_that_can_be_played(arguments, number, monkeypatch, tmp_path):
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    result = CliRunner().invoke(app, [*arguments, number])
    assert result.exit_code == 2 and f"'{arguments[1]}'" in result.output
    assert not list(Path(tmp_path).iterdir())


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "1e9"])
def test_shrinking_has_an_end(seconds):
    result = CliRunner().invoke(app, ["random", "--shrink", seconds, "--show"])
    assert result.exit_code == 2 and "'--shrink'" in result.output


def test_a_listing_is_shown_without_a_simulator(monkeypatch, tmp_path):
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    result = CliRunner().invoke(app, ["random", "--show", "--seed", "7", "--settings", "faults"])
    assert result.exit_code == 0 and "nano faults 7" in result.output and "HALT" in result.output
    assert not list(Path(tmp_path).iterdir())


def test_a_graph_is_shown_without_a_simulator(monkeypatch, tmp_path):
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    monkeypatch.setattr("ga2.sim.tools.version", lambda sim: pytest.fail(f"asked for {sim}"))
    result = CliRunner().invoke(app, ["slices", "--show", "1"])
    assert result.exit_code == 0 and "HALT" in result.output
