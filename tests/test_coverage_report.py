# SPDX-License-Identifier: Apache-2.0
"""Stored runs: written whole, merged in any order, put into figures; outdated exclusions and waivers fail."""

import itertools
import json
import os
from pathlib import Path

import pytest
from cocotb_coverage.coverage import coverage_db

from ga2.cli.coverage import command
from ga2.cli.errors import UserError
from ga2.coverage import code
from ga2.coverage.figures import ExclusionError, functional, percent
from ga2.coverage.lists import LISTS, Exclusion
from ga2.coverage.page import page
from ga2.coverage.report import make_report, write_report
from ga2.coverage.stimuli import DIRECTED, stimuli
from ga2.coverage.stored import StoredRunError, merge, read_counts
from ga2.coverage.waivers import Waiver, WaiverError, waived_lines
from verif.coverage.database import NAMES, POINTS, Database
from verif.coverage.directed import BODIES

LD, ST = "opcode/work/LD", "opcode/work/ST"


def stored(folder: Path, name: str, *programs: set[str]) -> Path:
    """A stored run of programs that hit these bins."""
    database = Database()
    for hits in programs:
        database.program(hits)
    database.save(folder / name)
    return folder / name


def test_a_run_is_read_as_it_was_counted(tmp_path: Path) -> None:
    path = stored(tmp_path, "a.xml", {LD, ST}, {LD})
    counts = read_counts(path)
    assert {f"{point}/{name}" for point, bins in counts.items() for name in bins} == NAMES
    assert counts["opcode/work"]["LD"] == 2 and counts["opcode/work"]["ST"] == 1
    assert sum(count for bins in counts.values() for count in bins.values()) == 3
    assert [each.name for each in tmp_path.iterdir()] == ["a.xml"], "nothing half-written is left"


def test_a_run_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_name: str) -> None:
        raise KeyboardInterrupt

    database = Database()
    monkeypatch.setattr(coverage_db, "export_to_xml", interrupted, raising=False)
    with pytest.raises(KeyboardInterrupt):
        database.save(tmp_path / "a.xml")
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_no_bin_is_refused_and_nothing_counted() -> None:
    database = Database()
    with pytest.raises(ValueError, match="no such bins: opcode/work/LEA"):
        database.program({LD, "opcode/work/LEA"})
    assert not any(database.counts().values())


def test_merging_is_order_independent(tmp_path: Path) -> None:
    files = [
        stored(tmp_path, "a.xml", {LD, ST}, {LD}),
        stored(tmp_path, "b.xml", {LD}),
        stored(tmp_path, "c.xml", {"opcode/work/MM"}),
    ]
    merged = [merge(order).counts for order in itertools.permutations(files)]
    assert all(each == merged[0] for each in merged)
    assert merged[0]["opcode/work"] == {"LD": 3, "ST": 1, "MM": 1, "LDG": 0, "SM": 0, "VEC": 0, "AMAX": 0}


def test_runs_with_other_bins_are_left_out_and_named(tmp_path: Path) -> None:
    old, new = stored(tmp_path, "old.xml", {LD}), stored(tmp_path, "new.xml", {ST})
    old.write_text(old.read_text().replace('bin="LD"', 'bin="LOAD"', 1))
    os.utime(old, (1, 1))
    merged = merge([old, new])
    assert merged.outdated == (old,) and merged.runs == 1
    assert merged.counts["opcode/work"]["ST"] == 1


@pytest.mark.parametrize("text", ["", "<a", "<top abs_name='top'/>"])
def test_a_file_that_is_no_run_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.xml"
    path.write_text(text)
    with pytest.raises(StoredRunError, match="broken.xml: no stored coverage run"):
        merge([path])


def test_at_most_three_percent_of_the_bins_are_excluded_each_for_a_reason() -> None:
    counts = {point: dict.fromkeys(bins, 0) for point, bins in POINTS.items()}
    measured = functional(counts, LISTS.excluded)
    assert len(measured.excluded) <= 0.03 * len(NAMES)
    assert all(len(reason) > 20 for reason in measured.excluded.values())
    assert len(measured.holes) == measured.bins == len(NAMES) - len(measured.excluded)


def test_an_exclusion_that_was_hit_or_fits_nothing_fails() -> None:
    counts = {"opcode/work": {"LD": 1, "ST": 0}}
    with pytest.raises(ExclusionError, match="opcode/work/LD was hit, but is excluded: loads do not exist"):
        functional(counts, [Exclusion(bins="opcode/work/*", reason="loads do not exist")])
    with pytest.raises(ExclusionError, match="excludes no bin: opcode/work/MM"):
        functional(counts, [Exclusion(bins="opcode/work/MM", reason="is not counted here")])
    assert functional(counts, [Exclusion(bins="*/ST", reason="no stores")]).percent == 100.0


def test_a_hundred_percent_means_all() -> None:
    assert percent(9999, 10000) == 99.9 and percent(1, 1) == 100.0 and percent(0, 7) == 0.0


def test_every_configuration_gets_every_kind_of_stimulus() -> None:
    titles = [portion.title for portion in stimuli(["nano", "base"], "verilator", 8, 1)]
    kinds = ("directed", "faults", "stalls", "endings", "random edges", "slices")
    assert all(f"{kind}, {config}" in titles for kind in kinds for config in ("nano", "base"))
    assert len(BODIES) == DIRECTED


POINT = "C '\1f\2{file}\1l\2{line}\1n\2{column}\1t\2line\1page\2v_{kind}/m\1o\2{what}\1S\2{lines}\1h\2top' {count}\n"


def counted(folder: Path, *points: tuple) -> Path:
    """A file of counts as Verilator writes it, for rtl/ga2_fifo.sv unless a file is named."""
    names = ("line", "column", "kind", "what", "lines", "count", "file")
    rows = (dict(zip(names, (*point, str(code.RTL / "ga2_fifo.sv"))[:7], strict=True)) for point in points)
    path = folder / "counts.dat"
    path.write_text("# SystemC::Coverage-3\n" + "".join(POINT.format(**row) for row in rows))
    return path


def test_line_counts(tmp_path: Path) -> None:
    path = counted(
        tmp_path,
        (10, 1, "line", "block", "10,12-13", 5),
        (13, 4, "branch", "if", "13", 0),
        (14, 4, "branch", "else", "", 0),
        (20, 1, "toggle", "a[0]:0->1", "", 3),
        (30, 1, "line", "block", "30", 7, "/elsewhere/tb.sv"),
    )
    counts = code.merged([path, path])
    assert {line: count for (_, line), count in code.line_counts(counts).items()} == {10: 10, 12: 10, 13: 0}
    assert len(code.of_kind(counts, "branch")) == 2 and list(code.of_kind(counts, "toggle").values()) == [6]
    code.store(path, tmp_path / "stored.dat")
    assert code.read(tmp_path / "stored.dat") == code.read(path), "what is stored is what was counted"
    path.write_text("# SystemC::Coverage-3\n")
    with pytest.raises(code.CodeCoverageError, match=r"counts\.dat"):
        code.read(path)


def _with_file(folder: Path) -> Path:
    """A folder with a source that nothing simulated."""
    (folder / "b.sv").write_text("x <= 1;\n")
    return folder


def test_waivers_name_lines_by_their_text(tmp_path: Path) -> None:
    (tmp_path / "a.sv").write_text("  x <= 1;\n  y <= 2;\n  x <= 1;\n")
    lines = {("a.sv", 1): 0, ("a.sv", 2): 3}
    waiver = Waiver(file="a.sv", text="x <= 1;", reason="x is wired to one")
    assert waived_lines([waiver], lines, tmp_path) == {("a.sv", 1): "x is wired to one"}
    with pytest.raises(WaiverError, match="'y <= 2;' was reached"):
        waived_lines([waiver.model_copy(update={"text": "y <= 2;"})], lines, tmp_path)
    assert waived_lines([waiver.model_copy(update={"file": "b.sv"})], {("a.sv", 1): 0}, _with_file(tmp_path)) == {}
    with pytest.raises(WaiverError, match="no counted line 'z'"):
        waived_lines([waiver.model_copy(update={"text": "z"})], lines, tmp_path)


def test_the_report(tmp_path: Path) -> None:
    stored(tmp_path / "runs", "a.xml", {LD})
    (tmp_path / "code").mkdir()
    counted(tmp_path / "code", (34, 3, "line", "block", "34", 4), (39, 5, "branch", "if", "39-42", 0)).rename(
        tmp_path / "code" / "a.dat"
    )
    report = make_report(tmp_path)
    write_report(report, tmp_path, page(report))
    summary, holes = (json.loads((tmp_path / name).read_text()) for name in ("summary.json", "holes.json"))
    assert summary["hit"] == 1 and summary["bins"] == len(NAMES) - len(summary["excluded"])
    assert summary["line"] == 20.0 and summary["lines"]["missed"] == [f"ga2_fifo.sv:{line}" for line in range(39, 43)]
    assert set(holes) == NAMES - {LD} - set(summary["excluded"])
    text = (tmp_path / "index.html").read_text()
    assert all(point in text for point in POINTS) and "ga2_fifo.sv" in text
    marked = (tmp_path / "annotated" / "ga2_fifo.sv").read_text().splitlines()
    assert marked[33].startswith("          4 ") and marked[38].startswith("%         0 ")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"config": ["huge"]}, "unknown configuration 'huge': choose one of nano, wide, small, base"),
        ({"sim": "vcs"}, "unknown simulator 'vcs': choose one of icarus, verilator"),
        ({"report": True}, "no stored run: `ga2 coverage` makes some"),
    ],
)
def test_bad_use_is_said_before_anything_runs(
    arguments: dict, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    usual = {"size": 1, "config": None, "sim": "verilator", "seed": 1, "report": False}
    with pytest.raises(UserError, match=complaint):
        command(**(usual | arguments))
    assert not list(tmp_path.iterdir())


def test_the_report_of_stored_runs_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    stored(tmp_path / "coverage" / "runs", "a.xml", {LD}, {ST})
    command(size=1, config=None, sim="verilator", seed=1, report=True)
    text = capsys.readouterr().out
    assert "coverage of 1 simulations" in text and "never hit: opcode/work/LDG" in text
    assert (tmp_path / "coverage" / "index.html").is_file()
