# SPDX-License-Identifier: Apache-2.0
"""What earlier runs found, kept while it holds: `build/mutants/reach.json` and `build/mutants/verdicts.jsonl` of the
compiler, and of another subject the same with its name before.

A verdict holds for the subject that was changed, and for the judge that gave it, which is the test file that failed;
that a mutant survives, for all of them. A line is written for each mutant as soon as it is known.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ga2.isa.image import write_whole
from ga2.mutation.judge import LISTINGS
from ga2.mutation.programs import RECORD
from ga2.mutation.subject import Subject
from ga2.sim.build import build_root
from ga2.sim.sources import ROOT

PARAMETERS = 3
QUICK = 0.1  # seconds
"""Of a test with parameters so many are asked, and all that are quick: a survivor meets all of them."""


def judges(subject: Subject) -> list[str]:
    """Test files that judge, by repository path."""
    files = (path for pattern in subject.judges for path in (ROOT / "tests").glob(pattern))
    found = {path for path in files if path.name not in subject.not_judges}
    return [path.relative_to(ROOT).as_posix() for path in sorted(found)]


def digest(paths: Iterable[Path]) -> str:
    """Of some files' bytes."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


class Stored:
    """The folder of results. `fresh` forgets the verdicts."""

    def __init__(self, subject: Subject, fresh: bool = False) -> None:
        self.subject = subject
        folder = build_root() / "mutants"
        folder.mkdir(parents=True, exist_ok=True)
        self.reach_path, self.verdicts_path = (folder / subject.kept(name) for name in ("reach.json", "verdicts.jsonl"))
        self.sources = digest(sorted(subject.folder.rglob("*.py")))
        self.files = {file: digest([ROOT / file]) for file in judges(subject)}
        if subject.listed:
            self.files[LISTINGS] = digest([RECORD])
        self.all_judges = hashlib.sha256(json.dumps(self.files, sort_keys=True).encode()).hexdigest()[:16]
        self.reach: dict[str, Any] = self._json(self.reach_path)
        if fresh:
            self.verdicts_path.unlink(missing_ok=True)
        self.verdicts = {each["id"]: each for each in self._lines() if self._holds(each)}

    def _json(self, path: Path) -> dict[str, Any]:
        found = json.loads(path.read_text()) if path.is_file() else {}
        return {file: each for file, each in found.items()
                if each.get("sources") == self.sources and each["file"] == self.files.get(file)}  # fmt: skip

    def _lines(self) -> list[dict[str, Any]]:
        """Whole lines: an interrupt may have cut the last."""
        text = self.verdicts_path.read_text() if self.verdicts_path.is_file() else ""
        return [json.loads(line) for line in text.rpartition("\n")[0].splitlines()]

    def _judge(self, verdict: dict[str, Any]) -> str:
        """The digest of who gave a verdict."""
        return self.files.get(verdict["by"].split("::")[0], self.all_judges)

    def _holds(self, verdict: dict[str, Any]) -> bool:
        return verdict.get("sources") == self.sources and verdict["judge"] == self._judge(verdict)

    def keep_reach(self, file: str, found: dict[str, Any]) -> None:
        """What the tests of a file reach."""
        self.reach[file] = {"sources": self.sources, "file": self.files[file], "tests": found}
        write_whole(self.reach_path, json.dumps(self.reach).encode())

    def keep(self, verdict: dict[str, Any]) -> None:
        """Append what became of a mutant."""
        verdict |= {"sources": self.sources, "judge": self._judge(verdict)}
        self.verdicts[verdict["id"]] = verdict
        with self.verdicts_path.open("a") as lines:
            lines.write(f"{json.dumps(verdict)}\n")

    def tests_for(self, file_function: str, imported: bool) -> dict[str, float]:
        """Who can tell about a change in a function: the listings, then tests, the quickest first, a few of a kind."""
        file, function = self.subject.remembers
        reached = {file_function}
        if file and file_function.startswith(f"{file}:"):
            reached.add(f"{file}:{function}")
        every = {name: test for entry in self.reach.values() for name, test in entry["tests"].items()}
        chosen = [(name != LISTINGS, test["seconds"], name) for name, test in every.items()
                  if imported or not reached.isdisjoint(test["reaches"])]  # fmt: skip
        found: dict[str, float] = {}
        kinds: Counter[str] = Counter()
        for _, seconds, name in sorted(chosen):
            kind = name.partition("[")[0]
            kinds[kind] += 1
            if kinds[kind] <= PARAMETERS or seconds < QUICK:
                found[name] = seconds
        return found
