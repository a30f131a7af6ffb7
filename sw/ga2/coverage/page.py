# SPDX-License-Identifier: Apache-2.0
"""The report as one HTML page that needs nothing else."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from html import escape

from ga2.coverage.code import of_kind
from ga2.coverage.figures import Functional, Point, percent
from ga2.coverage.report import Code, Report
from ga2.coverage.testplan import Row

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1c2733 }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.5rem; border-bottom: 1px solid #cfd8e0 }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .25rem .6rem; vertical-align: top }
th { border-bottom: 2px solid #cfd8e0; font-weight: 600 } tr:nth-child(even) td { background: #f5f8fa }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.bar { background: #e6d3d0; width: 9rem; height: .8rem; border-radius: .2rem; overflow: hidden; display: inline-block }
.bar i { background: #3c8d63; height: 100%; display: block }
code { font-size: .9em } details { margin: .2rem 0 } summary { cursor: pointer } .bad { color: #a32a1c }
ul { columns: 2; margin: .3rem 0; font-size: .9em } li { break-inside: avoid }
"""


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """Cells are HTML; `numbers` are the columns that hold any."""

    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(f'<{tag}{" class=n" if i in numbers else ""}>{cell}</{tag}>' for i, cell in enumerate(row))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><tr>{cells('th', headings)}</tr>{body}</table>"


def _bar(value: float) -> str:
    return f'<span class=bar><i style="width:{value:.1f}%"></i></span>'


def _list(names: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li><code>{escape(name)}</code></li>" for name in names) + "</ul>"


def _folded(title: str, names: Sequence[str]) -> str:
    return f"<details><summary>{escape(title)}</summary>{_list(names)}</details>" if names else ""


def _point_row(point: Point) -> Sequence[str]:
    share = percent(point.hit, len(point.wanted))
    holes = [name.rpartition("/")[2] for name in point.holes]
    rarest = min((count for count in point.wanted.values() if count), default=0)
    folded = _folded(f"{len(holes)} hole{'s' * (len(holes) != 1)}", holes) or "none"
    size = f"{point.hit} / {len(point.wanted)}"
    return (f"<code>{escape(point.name)}</code>", _bar(share), f"{share} %", size, str(rarest), folded)


def _groups(measured: Functional) -> str:
    parts = []
    for group, points in measured.groups.items():
        hit, bins = sum(point.hit for point in points), sum(len(point.wanted) for point in points)
        parts.append(f"<h2 id={escape(group)}>{escape(group)}: {percent(hit, bins)} % of {bins} bins</h2>")
        headings = ("point", "", "hit", "bins", "rarest hit by", "never hit")
        parts.append(_table(headings, map(_point_row, points), numbers=(2, 3, 4)))
    return "".join(parts)


def _excluded(measured: Functional) -> str:
    reasons = Counter(measured.excluded.values())
    names = {reason: [name for name, why in measured.excluded.items() if why == reason] for reason in reasons}
    rows = [(escape(reason), str(count), _folded("which", names[reason])) for reason, count in reasons.items()]
    return "<h2>Excluded bins</h2>" + (_table(("reason", "bins", ""), rows, numbers=(1,)) if rows else "<p>None.</p>")


def _plan(rows: Sequence[Row], measured: Functional) -> str:
    def state(row: Row) -> str:
        points = [p for p in measured.points if any(fnmatchcase(p.name, group) for group in row.covergroups)]
        if not points:
            return "judged by its tests"
        hit, bins = sum(point.hit for point in points), sum(len(point.wanted) for point in points)
        return f"{_bar(percent(hit, bins))} {percent(hit, bins)} %"

    cells = [
        (
            f"<b>{escape(row.name)}</b>",
            escape(row.stimulus),
            escape(row.check),
            row.level,
            "<br>".join(f"<code>{escape(test)}</code>" for test in row.tests),
            state(row) + "".join(f"<br><code>{escape(group)}</code>" for group in row.covergroups),
        )
        for row in rows
    ]
    return "<h2>Testplan</h2>" + _table(("what", "stimulus", "check", "level", "tests", "coverage"), cells)


def _code(code: Code | None) -> str:
    if code is None:
        return "<h2>Code</h2><p>No Verilator run has counted lines.</p>"
    rows = []
    for file in sorted({file for file, _ in code.lines}):
        lines = {line: count for line, count in code.counted.items() if line[0] == file}
        missed = [line for line in code.missed if line[0] == file]
        share = percent(len(lines) - len(missed), len(lines))
        bits = {place: count for place, count in of_kind(code.counts, "toggle").items() if place.file == file}
        toggled = percent(sum(count > 0 for count in bits.values()), len(bits))
        listed = ", ".join(str(number) for _, number in missed) or "none"
        name = f'<a href="annotated/{escape(file)}">{escape(file)}</a>'
        size = f"{len(lines) - len(missed)} / {len(lines)}"
        rows.append((name, _bar(share), f"{share} %", size, f"{toggled} %", listed))
    parts = ["<h2>Code</h2>", _table(("file", "", "lines", "", "toggles", "lines never reached"), rows, (2, 3, 4))]
    waived = [
        (f"<code>{escape(file)}:{number}</code>", escape(why)) for (file, number), why in sorted(code.waived.items())
    ]
    parts.append("<h2>Waived lines</h2>" + (_table(("line", "reason"), waived) if waived else "<p>None.</p>"))
    return "".join(parts)


def page(report: Report) -> str:
    """The whole page."""
    measured, code = report.functional, report.code
    figures = [("functional", measured.percent, f"{measured.hit} of {measured.bins} bins")]
    if code:
        lines = len(code.counted)
        figures.append(("line", code.line_percent, f"{lines - len(code.missed)} of {lines} lines"))
        figures += [(kind, code.points_percent(kind), "points of <code>rtl/</code>") for kind in ("branch", "toggle")]
    overview = _table(
        ("", "", "", ""), ((name, _bar(value), f"{value} %", of) for name, value, of in figures), numbers=(2,)
    )
    problems = "".join(f"<p class=bad>{escape(problem)}</p>" for problem in report.problems)
    outdated = len(report.runs.outdated)
    note = f", {outdated} left out, because they have other bins" if outdated else ""
    runs = f"<p>{report.runs.runs} simulations{note}; line counts of {code.runs if code else 0}.</p>"
    groups, plan = _groups(measured) + _excluded(measured), _plan(report.testplan, measured)
    return (
        f'<!doctype html><html lang=en><meta charset=utf-8><title>GA2 coverage</title><style>{STYLE}</style>'
        f"<h1>GA2 coverage</h1>{problems}{overview}{runs}<p>A bin counts once a program, and only for programs whose "
        f"every check passed.</p>{groups}{plan}{_code(code)}</html>\n"
    )
