# SPDX-License-Identifier: Apache-2.0
"""The table of a unit's seeded faults: `verif/unit/<unit>/faults.yaml`, a list of `Fault`."""

from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ga2.fusesoc.core_file import UNITS, unit_top
from ga2.sim.sources import ROOT, catalogue, closure

AT_LEAST = 3  # faults a unit


class Fault(BaseModel):
    """One mistake: in `file` (of rtl/) the exact `text`, which occurs once, becomes `replacement`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, description="what is wrong then, in a few words")
    file: str = Field(pattern=r"^ga2_\w+\.sv$")
    text: str = Field(min_length=1)
    replacement: str
    why: str = Field(min_length=1, description="how somebody comes to write it")

    def broken(self) -> str:
        """The source with the fault in it. ValueError if the text is not there exactly once, or would not change."""
        source = (ROOT / "rtl" / self.file).read_text()
        count = source.count(self.text)
        if count != 1:
            raise ValueError(f"'{self.name}': its text occurs {count} times in rtl/{self.file}, and not once")
        if self.text == self.replacement:
            raise ValueError(f"'{self.name}': text and replacement are the same")
        return source.replace(self.text, self.replacement)


def _compiled(unit: str) -> set[str]:
    """The names of the files that the unit's bench compiles."""
    top = unit_top(unit)
    return {path.name for path in closure([top.stem], dict.fromkeys([*catalogue(), top]))}


def faults_of(unit: str, folder: Path = UNITS) -> list[Fault]:
    """The seeded faults of a unit, checked against the sources.

    ValueError, in one line, for a missing or malformed table, fewer than three faults, two of one name, a file that the
    bench does not compile, or a text that does not occur exactly once in it.
    """
    path = folder / unit / "faults.yaml"
    if not path.is_file():
        raise ValueError(f"unit {unit}: no {path.name} beside the bench, with {AT_LEAST} faults that it must see")
    try:
        faults = TypeAdapter(list[Fault]).validate_python(yaml.safe_load(path.read_text()))
    except (yaml.YAMLError, ValidationError) as error:
        raise ValueError(f"{path}: {' '.join(str(error).split())}") from None
    names = [fault.name for fault in faults]
    if len(faults) < AT_LEAST:
        raise ValueError(f"unit {unit}: {len(faults)} seeded faults, and not {AT_LEAST} or more")
    if len(set(names)) < len(names):
        raise ValueError(f"unit {unit}: two faults have one name")
    compiled = _compiled(unit)
    for fault in faults:
        if fault.file not in compiled:
            raise ValueError(f"unit {unit}, '{fault.name}': the bench does not compile {fault.file}")
        try:
            fault.broken()
        except ValueError as error:
            raise ValueError(f"unit {unit}, {error}") from None
    return faults
