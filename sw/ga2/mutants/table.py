# SPDX-License-Identifier: Apache-2.0
"""The table of broken compilers: `verif/mutants/compiler.yaml`, a list of `Mutant`."""

from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ga2.sim.sources import ROOT

TABLE = ROOT / "verif" / "mutants" / "compiler.yaml"
COMPILER = Path("compiler") / "capra"


class Mutant(BaseModel):
    """One change: in `file` of compiler/capra the exact `text`, which occurs once, becomes `replacement`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, description="what is wrong then, in a few words")
    file: str = Field(pattern=r"^[a-z_/]+\.py$")
    text: str = Field(min_length=1)
    replacement: str
    judge: str = Field(pattern=r"^tests/\w+\.py::\S+$", description="the test that must fail")
    equivalent: str = Field(default="", description="why no program can differ; the judges then pass")

    def broken(self) -> str:
        """The source with the change in it. ValueError if the text is not there exactly once, or would not change."""
        path = ROOT / COMPILER / self.file
        if not path.is_file():
            raise ValueError(f"'{self.name}': there is no {COMPILER / self.file}")
        source = path.read_text()
        count = source.count(self.text)
        if count != 1:
            raise ValueError(f"'{self.name}': its text occurs {count} times in {COMPILER / self.file}, and not once")
        if self.text == self.replacement:
            raise ValueError(f"'{self.name}': text and replacement are the same")
        return source.replace(self.text, self.replacement)


def mutants(path: Path = TABLE) -> list[Mutant]:
    """All of them, checked against the sources; ValueError, in one line, for a table that does not fit."""
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
