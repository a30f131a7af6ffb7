# SPDX-License-Identifier: Apache-2.0
"""A deliberate mistake in a copy of one source, and who must see it: a unit's bench, or a checker of the environment.

The tables are lists of `Mistake`: `verif/breaks/*.yaml` and, for the unit benches, `verif/unit/<unit>/faults.yaml`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ga2.sim.sources import ROOT

UNIT_BENCHES = "verif.unit."
CHANGE = ("name", "file", "text", "replacement", "why")


class Mistake(BaseModel):
    """In `file` the exact `text`, which occurs once, becomes `replacement`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, description="what is wrong then, in a few words")
    file: str = Field(pattern=r"^(rtl|verif|sw)/[\w/]+\.(sv|py)$")
    text: str = Field(min_length=1)
    replacement: str
    why: str = Field(min_length=1, description="how somebody comes to write it")
    caught_by: str = Field(description="the checker, or the unit, that must see it")
    says: tuple[str, ...] = Field(default=(), description="what the locator's report must say besides")
    bench: str = Field(default="verif.env.env_bench", description="the module of the test")
    test: str = Field(default="BackToBack", description="the test that must fail; empty is any of the bench")
    memory: Literal["reference", "hostile", "axi"] = "reference"
    config: str = "nano"
    seed: int = Field(default=101, description="of the first program")
    programs: int = Field(default=1, ge=1)

    @property
    def unit(self) -> str:
        """Whose bench must see it; empty if that is a test of the whole core."""
        return self.bench.removeprefix(UNIT_BENCHES) if self.bench.startswith(UNIT_BENCHES) else ""

    def broken(self) -> str:
        """The source with the mistake in it. ValueError if the text is not there exactly once, or would not change."""
        path = ROOT / self.file
        source = path.read_text() if path.is_file() else ""
        count = source.count(self.text)
        if count != 1:
            raise ValueError(f"'{self.name}': its text occurs {count} times in {self.file}, and not once")
        if self.text == self.replacement:
            raise ValueError(f"'{self.name}': text and replacement are the same")
        return source.replace(self.text, self.replacement)


@dataclass(frozen=True)
class Failed:
    """Of a test that failed: who complained in which words, and the locator's report; or why it says nothing."""

    test: str
    checkers: Mapping[str, str] = field(default_factory=dict)
    report: str = ""
    problem: str = ""


def _of_unit(unit: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of a unit's table, which says what changes in a file of rtl/ and no more, in full."""
    if extra := entry.keys() - {*CHANGE}:
        raise ValueError(f"no {', '.join(sorted(extra))} in a unit's table, only {', '.join(CHANGE)}")
    seen = {"caught_by": unit, "bench": UNIT_BENCHES + unit, "test": ""}
    return {**entry, "file": f"rtl/{entry.get('file')}", **seen}


def read(path: Path, unit: str = "") -> list[Mistake]:
    """A table; ValueError, in one line, for one that is none. Whether the texts fit the sources, `broken` says."""
    try:
        entries = yaml.safe_load(path.read_text())
        if unit and isinstance(entries, list):
            entries = [_of_unit(unit, each) if isinstance(each, dict) else each for each in entries]
        found = TypeAdapter(list[Mistake]).validate_python(entries)
        unique(found)
    except (yaml.YAMLError, ValueError) as error:  # a ValidationError is a ValueError
        raise ValueError(f"{path}: {' '.join(str(error).split())}") from None
    return found


def unique(mistakes: Iterable[Mistake]) -> None:
    """ValueError if two have one name."""
    for name, count in Counter(each.name for each in mistakes).items():
        if count > 1:
            raise ValueError(f"{count} are called '{name}'")
