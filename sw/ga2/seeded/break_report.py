# SPDX-License-Identifier: Apache-2.0
"""What became of the deliberate breaks: build/breaks/summary.json, the record verif/breaks/seen.json, and the pages.

The record holds a break's digest: one that was changed since is no longer known to be seen. Some of the locator's
reports serve as examples in the page of the environment.
"""

import fcntl
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ga2.isa.image import write_whole
from ga2.markdown import replace_region, table
from ga2.seeded.mistake import Mistake
from ga2.seeded.play import Seen
from ga2.seeded.tables import CHECKERS, FOLDER
from ga2.sim.build import build_root
from ga2.sim.sources import ROOT

PAGE = ROOT / "docs" / "developer" / "breaks.md"
EXAMPLES_PAGE = PAGE.with_name("environment.md")
EXAMPLES = (
    "the requantiser cuts instead of rounding",
    "a queue forgets that something waits in it",
    "an address does not wait for ready",
)
RECORD = FOLDER / "seen.json"
WIDTH = 110  # characters of a complaint


def digest(broken: Mistake) -> str:
    """Of everything that makes the break what it is."""
    return hashlib.sha256(broken.model_dump_json().encode()).hexdigest()[:12]


def keep(seen: Seen, sim: str) -> None:
    """Add a result to build/breaks/summary.json."""
    path = build_root() / "breaks" / "summary.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    facts = _facts(seen) | {"sim": sim, "problem": seen.problem, "report": seen.report}
    with path.with_suffix(".lock").open("w") as lock:  # two runs at once add to it
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            known = _read(path)
        except ValueError:  # a spoilt summary is made anew, the record never is
            known = {}
        known[f"{sim}: {seen.mistake.name}"] = facts
        write_whole(path, (json.dumps(known, indent=1) + "\n").encode())


def record(seen: Seen) -> None:
    """Add a break that was seen as it must be to the record that the page is made of."""
    known = _read(RECORD) | {seen.mistake.name: _facts(seen)}
    write_whole(RECORD, (json.dumps(known, indent=1, sort_keys=True) + "\n").encode())


def page(breaks: Sequence[Mistake]) -> str:
    """The page, its table made from the breaks and the record."""
    known = _read(RECORD)
    rows = []
    for each in sorted(breaks, key=lambda each: [*CHECKERS].index(each.caught_by)):
        facts = known.get(each.name, {})
        fresh = facts.get("digest") == digest(each)
        others = [name for name in facts.get("checkers", {}) if name != each.caught_by] if fresh else []
        said = facts["checkers"][each.caught_by] if fresh else "**not played since it was written**"
        where = f"`{each.file}`" + (f" ({each.memory} memory)" if each.memory != "reference" else "")
        rows.append([each.name, where, each.caught_by, said, ", ".join(others)])
    body = table(["break", "in", "must be seen by", "which says", "seen by as well"], rows)
    checkers = table(["checker", "watches", "breaks"], [
        [name, what, sum(each.caught_by == name for each in breaks)] for name, what in CHECKERS.items()
    ])  # fmt: skip
    text = replace_region(PAGE.read_text(), "checkers", checkers)
    return replace_region(text, "breaks", body)


def examples_page() -> str:
    """The page of the environment with its examples of reports from the record."""
    known = _read(RECORD)
    reports = [f"When {name}:\n\n```\n{known.get(name, {}).get('report', '(not played)')}\n```" for name in EXAMPLES]
    return replace_region(EXAMPLES_PAGE.read_text(), "report", "\n\n".join(reports))


def write_pages(breaks: Sequence[Mistake]) -> None:
    """Bring both pages up to date."""
    write_whole(PAGE, page(breaks).encode())
    write_whole(EXAMPLES_PAGE, examples_page().encode())


def _facts(seen: Seen) -> dict[str, Any]:
    checkers = {name: _short(text) for name, text in seen.checkers.items()}
    report = {"report": seen.report.partition("\nwith a waveform")[0]} if seen.mistake.says else {}
    return {"digest": digest(seen.mistake), "checkers": checkers} | report


def _short(text: str) -> str:
    """One line that fits a cell."""
    line = " ".join(text.partition("\n")[0].split()).replace("|", "/")
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 3]}..."


def check_record() -> None:
    """ValueError, in one line, for a record that is none."""
    _read(RECORD)


def _read(path: Path) -> dict[str, Any]:
    try:
        known = json.loads(path.read_text()) if path.is_file() else {}
    except (ValueError, RecursionError):
        known = None
    if not isinstance(known, dict) or not all(isinstance(facts, dict) for facts in known.values()):
        raise ValueError(f"{path}: must be an object with one object a break, as `ga2 breaks` writes it")
    return known
