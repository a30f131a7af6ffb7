# SPDX-License-Identifier: Apache-2.0
"""Deliberate breaks of the whole core, its testbenches and its checkers: `verif/breaks/*.yaml`, lists of `Break`.

Each names the checker of the verification environment that must see it. A checker that no break goes through is one
that nobody knows to work.
"""

from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ga2.sim.sources import ROOT

FOLDER = ROOT / "verif" / "breaks"
CHECKERS = {
    "retirements": "every record of the trace, and the fault",
    "write_sets": "what each instruction wrote, as it retires",
    "memories": "all of external memory and scratchpad after each program",
    "counters": "every counter, exactly or within bounds",
    "traffic": "every burst and write beat on the AXI master",
    "axi_rules": "the protocol of the AXI master, in every cycle",
    "reference_memory": "what the reference memory may rely on",
    "assertions": "the RTL's own assertions",
    "causality": "a later token changes no earlier row",
    "test": "what a test demands beyond its scoreboards",
}


class Break(BaseModel):
    """One mistake: in `file` the exact `text`, which occurs once, becomes `replacement`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, description="what is wrong then, in a few words")
    file: str = Field(pattern=r"^(rtl|verif|sw)/[\w/]+\.(sv|py)$")
    text: str = Field(min_length=1)
    replacement: str
    why: str = Field(min_length=1, description="how somebody comes to write it")
    caught_by: str = Field(description="the checker that must see it, a key of CHECKERS")
    says: list[str] = Field(default=[], description="what the locator's report must say besides")
    bench: str = Field(default="verif.env.env_bench", description="the module of the test")
    test: str = Field(default="BackToBack", description="the test that must fail")
    memory: Literal["reference", "hostile", "axi"] = "reference"
    config: str = "nano"
    seed: int = Field(default=101, description="of the first program")
    programs: int = Field(default=1, ge=1)

    def broken(self) -> str:
        """The source with the break in it. ValueError if the text is not there exactly once, or would not change."""
        source = (ROOT / self.file).read_text()
        count = source.count(self.text)
        if count != 1:
            raise ValueError(f"break '{self.name}': its text occurs {count} times in {self.file}, and not once")
        if self.text == self.replacement:
            raise ValueError(f"break '{self.name}': text and replacement are the same")
        return source.replace(self.text, self.replacement)


def all_breaks(folder: Path = FOLDER) -> list[Break]:
    """Every break, checked against the sources.

    ValueError, in one line, for a malformed table, two breaks of one name, an unknown checker, a checker that no break
    must reach, or a text that does not occur exactly once.
    """
    found: list[Break] = []
    for path in sorted(folder.glob("*.yaml")):
        try:
            found += TypeAdapter(list[Break]).validate_python(yaml.safe_load(path.read_text()))
        except (yaml.YAMLError, ValidationError) as error:
            raise ValueError(f"{path}: {' '.join(str(error).split())}") from None
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two breaks are called '{name}'")
    for each in found:
        if each.caught_by not in CHECKERS:
            raise ValueError(f"break '{each.name}': no checker '{each.caught_by}': choose from {', '.join(CHECKERS)}")
        each.broken()
    if missing := set(CHECKERS) - {each.caught_by for each in found}:
        raise ValueError(f"no break that {', '.join(sorted(missing))} must see")
    return found
