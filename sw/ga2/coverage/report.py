# SPDX-License-Identifier: Apache-2.0
"""The coverage report: everything stored under `build/coverage`, put into numbers and written beside it.

    runs/*.xml      functional counts, one file a simulation (`verif/coverage/recorder.py`)
    code/*.dat      Verilator's line and toggle counts, one file a simulation
    summary.json, holes.json, index.html, annotated/
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ga2.coverage.code import Counts as CodeCounts
from ga2.coverage.code import Line, annotate, line_counts, merged, of_kind
from ga2.coverage.figures import Functional, functional, percent
from ga2.coverage.lists import LISTS
from ga2.coverage.stored import Merged, merge
from ga2.coverage.testplan import Row, load_testplan, problems
from ga2.coverage.waivers import load_waivers, waived_lines
from ga2.isa.image import write_whole
from ga2.sim.build import build_root


@dataclass(frozen=True)
class Code:
    """Line, branch and toggle coverage of `rtl/`; `waived` lines count as if they were not there."""

    runs: int
    counts: CodeCounts
    lines: dict[Line, int]
    waived: dict[Line, str]

    @property
    def counted(self) -> dict[Line, int]:
        """The lines that count."""
        return {line: count for line, count in self.lines.items() if line not in self.waived}

    @property
    def missed(self) -> list[Line]:
        """Lines never reached and not waived."""
        return [line for line, count in sorted(self.counted.items()) if count == 0]

    @property
    def line_percent(self) -> float:
        """Lines reached in percent of those that count."""
        return percent(len(self.counted) - len(self.missed), len(self.counted))

    def points_percent(self, *kinds: str) -> float:
        """Points reached of some kinds in percent."""
        points = of_kind(self.counts, *kinds)
        return percent(sum(count > 0 for count in points.values()), len(points))


@dataclass(frozen=True)
class Report:
    """Everything that the report shows; `code` is None if no Verilator run counted."""

    runs: Merged
    functional: Functional
    code: Code | None
    testplan: Sequence[Row]
    problems: Sequence[str]

    def summary(self) -> dict[str, object]:
        """`summary.json`."""
        bins, excluded = self.functional.bins, self.functional.excluded
        code = self.code
        return {
            "functional": self.functional.percent,
            "line": code.line_percent if code else None,
            "branch": code.points_percent("branch") if code else None,
            "toggle": code.points_percent("toggle") if code else None,
            "bins": bins,
            "hit": self.functional.hit,
            "runs": self.runs.runs,
            "outdated_runs": len(self.runs.outdated),
            "code_runs": code.runs if code else 0,
            "excluded_percent": percent(len(excluded), bins + len(excluded)),
            "excluded": excluded,
            "holes": list(self.functional.holes),
            "lines": {"counted": len(code.counted), "missed": [f"{f}:{n}" for f, n in code.missed]} if code else None,
            "waived": {f"{f}:{n}": why for (f, n), why in sorted(code.waived.items())} if code else {},
            "testplan_problems": list(self.problems),
        }


def coverage_folder() -> Path:
    """Where runs are stored and reports written."""
    return build_root() / "coverage"


def make_report(folder: Path) -> Report:
    """The report of what is stored in a folder; StoredRunError and the like say what is wrong with it."""
    runs = merge((folder / "runs").glob("*.xml"))
    measured = functional(runs.counts, LISTS.excluded)
    testplan = load_testplan()
    return Report(runs, measured, _code(folder / "code"), testplan, problems(testplan, list(runs.counts)))


def _code(folder: Path) -> Code | None:
    files = sorted(folder.glob("*.dat"))
    if not files:
        return None
    counts = merged(files)
    lines = line_counts(counts)
    return Code(len(files), counts, lines, waived_lines(load_waivers(), lines))


def write_report(report: Report, folder: Path, page: str) -> None:
    """All files of a report; a reader of one sees the old or the new one, never half."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "summary.json": json.dumps(report.summary(), indent=2) + "\n",
        "holes.json": json.dumps(report.functional.holes, indent=2) + "\n",
        "index.html": page,
    }
    for name, text in files.items():
        write_whole(folder / name, text.encode())
    if report.code:
        annotate(report.code.counts, folder / "annotated", report.code.waived)
