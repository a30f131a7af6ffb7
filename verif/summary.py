# SPDX-License-Identifier: Apache-2.0
"""What a run of the benches ends with: suite and simulator against configuration, and how to repeat a failure."""

import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from rich.console import Console
from rich.table import Table

ANY = "any"  # benches of one module, whose sizes are no configuration's
SUITES = ("unit", "core", "env", "slices", "system")
FAILED = ("failed", "error")


@dataclass(frozen=True)
class Cell:
    """The outcomes of one suite, simulator and configuration: pytest's word to number of tests."""

    outcomes: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        bad = sum(self.outcomes[word] for word in FAILED)
        parts = [f"[red]{bad} failed[/red]"] if bad else []
        parts += [f"{number} {word}" for word, number in sorted(self.outcomes.items()) if word not in FAILED]
        return ", ".join(parts)


def suite_of(nodeid: str) -> str | None:
    """The folder under verif/ that a test lies in; None for a test elsewhere."""
    parts = PurePosixPath(nodeid.partition("::")[0]).parts
    return parts[1] if len(parts) > 2 and parts[0] == "verif" else None


def tabulate(tests: Iterable[tuple[str, str, Mapping[str, str]]]) -> dict[tuple[str, str], dict[str, Cell]]:
    """(outcome, node id, parameters) of every test, as (suite, simulator) to configuration to cell."""
    rows: dict[tuple[str, str], dict[str, Cell]] = defaultdict(lambda: defaultdict(Cell))
    for outcome, nodeid, parameters in tests:
        suite = suite_of(nodeid)
        if suite is not None:
            rows[suite, parameters.get("sim", "")][parameters.get("config", ANY)].outcomes[outcome] += 1
    return rows


def render(rows: Mapping[tuple[str, str], Mapping[str, Cell]], configurations: Iterable[str], width: int) -> str:
    """The table as text; only configurations that something ran on get a column."""
    columns = [name for name in (*configurations, ANY) if any(name in cells for cells in rows.values())]
    table = Table("suite", "simulator", *columns, title="configuration x suite")
    for suite, sim in sorted(rows, key=lambda row: (SUITES.index(row[0]) if row[0] in SUITES else len(SUITES), row)):
        cells = rows[suite, sim]
        table.add_row(suite, sim, *(str(cells[name]) if name in cells else "-" for name in columns))
    text = io.StringIO()
    Console(file=text, width=max(width, 60)).print(table)
    return text.getvalue().rstrip()


def reproduce(nodeid: str) -> str:
    """The command that runs one test again."""
    return f".venv/bin/python -m pytest '{nodeid}'"
