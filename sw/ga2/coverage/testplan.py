# SPDX-License-Identifier: Apache-2.0
"""The testplan (`spec/testplan.yaml`): what is stimulated and how it is judged, its tests and its cover points."""

import ast
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

import yaml

from ga2.sim.sources import ROOT
from ga2.spec import SPEC_DIR, Strict


class Row(Strict):
    """One row. `tests` are pytest node ids (file::test); `covergroups` names of points, * for any text."""

    name: str
    stimulus: str
    check: str
    level: Literal["software", "unit", "program", "environment", "system"]
    tests: tuple[str, ...]
    covergroups: tuple[str, ...] = ()


class _File(Strict):
    rows: tuple[Row, ...]


def load_testplan(path: Path = SPEC_DIR / "testplan.yaml") -> Sequence[Row]:
    """All rows; pydantic's ValidationError says what is wrong with one."""
    return _File(**yaml.safe_load(path.read_text())).rows


def names_a_test(node: str, root: Path = ROOT) -> bool:
    """Whether a node id names a test function in a file."""
    name, _, test = node.partition("::")
    path = root / name
    if not path.is_file() or not test:
        return False
    functions = (each for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.FunctionDef))
    return any(each.name == test.partition("[")[0] for each in functions)


def problems(rows: Sequence[Row], points: Collection[str], root: Path = ROOT) -> list[str]:
    """Everything in which testplan, tests and cover points disagree."""
    found = []
    names = [row.name for row in rows]
    found += [f"testplan: two rows are called '{name}'" for name in sorted(set(names)) if names.count(name) > 1]
    for row in rows:
        if not row.tests:
            found.append(f"testplan: '{row.name}' has no test")
        found += [f"testplan: '{row.name}': no test {test}" for test in row.tests if not names_a_test(test, root)]
        for pattern in row.covergroups:
            if not any(fnmatchcase(point, pattern) for point in points):
                found.append(f"testplan: '{row.name}': no cover point {pattern}")
    patterns = [pattern for row in rows for pattern in row.covergroups]
    for point in points:
        if not any(fnmatchcase(point, pattern) for pattern in patterns):
            found.append(f"testplan: no row has the cover point {point}")
    return found
