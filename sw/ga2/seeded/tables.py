# SPDX-License-Identifier: Apache-2.0
"""The mistakes that must be seen: of the whole core and its checkers (`all_breaks`), and of a unit (`faults_of`).

A checker that no break goes through is one that nobody knows to work.
"""

from pathlib import Path

from ga2.fusesoc.core_file import UNITS, unit_top
from ga2.seeded.mistake import Mistake, read, unique
from ga2.sim.sources import ROOT, catalogue, closure

FOLDER = ROOT / "verif" / "breaks"
AT_LEAST = 3  # faults a unit
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


def all_breaks(folder: Path = FOLDER) -> list[Mistake]:
    """Every break of the whole core. ValueError, in one line, for a table that `read` refuses, two breaks of one name,
    an unknown checker, a text that does not fit its source, or a checker that no break must reach.
    """
    found = [each for path in sorted(folder.glob("*.yaml")) for each in read(path)]
    unique(found)
    for each in found:
        if each.caught_by not in CHECKERS:
            raise ValueError(f"break '{each.name}': no checker '{each.caught_by}': choose from {', '.join(CHECKERS)}")
        each.broken()
    if missing := set(CHECKERS) - {each.caught_by for each in found}:
        raise ValueError(f"no break that {', '.join(sorted(missing))} must see")
    return found


def faults_of(unit: str, folder: Path = UNITS) -> list[Mistake]:
    """The seeded faults of a unit. ValueError, in one line, for a table that is missing or that `read` refuses, fewer
    than three faults, a file that the bench does not compile, or a text that does not fit it.
    """
    path = folder / unit / "faults.yaml"
    if not path.is_file():
        raise ValueError(f"unit {unit}: no {path.name} beside the bench, with {AT_LEAST} faults that it must see")
    faults = read(path, unit)
    if len(faults) < AT_LEAST:
        raise ValueError(f"unit {unit}: {len(faults)} seeded faults, and not {AT_LEAST} or more")
    top = unit_top(unit)
    compiled = {file.name for file in closure([top.stem], dict.fromkeys([*catalogue(), top]))}
    for fault in faults:
        if Path(fault.file).name not in compiled:
            raise ValueError(f"unit {unit}, '{fault.name}': the bench does not compile {fault.file}")
        fault.broken()
    return faults
