# SPDX-License-Identifier: Apache-2.0
"""The tables of broken versions, of the compiler and of the speculative path: lists of `Mutant` in `verif/mutants`."""

from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ga2.sim.sources import ROOT


@dataclass(frozen=True)
class Part:
    """What is broken. name: of its table and of its report. called: what one broken version of it is called."""

    name: str
    called: str

    @property
    def table(self) -> Path:
        """Its mutants."""
        return ROOT / "verif" / "mutants" / f"{self.name}.yaml"


PARTS = {part.name: part for part in (Part("compiler", "compiler"), Part("speculation", "speculative path"))}


class Mutant(BaseModel):
    """One change: in `file` the exact `text`, which occurs once, becomes `replacement`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, description="what is wrong then, in a few words")
    file: str = Field(pattern=r"^(compiler/capra|sw/ga2)/[a-z_0-9/]+\.py$", description="repository path")
    text: str = Field(min_length=1)
    replacement: str
    judge: str = Field(pattern=r"^tests/\w+\.py::\S+$", description="the test that must fail")
    equivalent: str = Field(default="", description="why no program can differ; the judges then pass")

    def broken(self) -> str:
        """The source with the change in it. ValueError if the text is not there exactly once, or would not change."""
        path = ROOT / self.file
        if not path.is_file():
            raise ValueError(f"'{self.name}': there is no {self.file}")
        source = path.read_text()
        count = source.count(self.text)
        if count != 1:
            raise ValueError(f"'{self.name}': its text occurs {count} times in {self.file}, and not once")
        if self.text == self.replacement:
            raise ValueError(f"'{self.name}': text and replacement are the same")
        return source.replace(self.text, self.replacement)


def mutants(path: Path) -> list[Mutant]:
    """All of a table, checked against the sources; ValueError, in one line, for a table that does not fit."""
    try:
        found = TypeAdapter(list[Mutant]).validate_python(yaml.safe_load(path.read_text()))
    except (yaml.YAMLError, ValidationError) as error:
        raise ValueError(f"{path}: {' '.join(str(error).split())}") from None
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{path}: two are called '{name}'")
    for each in found:
        each.broken()
    return found
