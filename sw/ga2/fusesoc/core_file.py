# SPDX-License-Identifier: Apache-2.0
"""The lists in `fusesoc.core`, made from the folders: sources, benches, and a target for every unit bench."""

import re
from collections.abc import Sequence
from pathlib import Path

from ga2.sim.sources import CORE_FILE, FOLDERS, ROOT, sorted_by_use

UNITS = ROOT / "verif" / "unit"
# What a unit bench takes from the configuration. Depths of memories stay small: their module's default.
SHAPE = ("ROWS", "COLS", "LANES", "BUS_BYTES", "BANKS")
BEGIN, END = "  # generated: {}\n", "  # end\n"

_PARAMETER = re.compile(r"^\s*parameter int (\w+)\s*=\s*(\d+)\s*,?\s*(?://.*)?$", re.MULTILINE)


def units() -> list[str]:
    """The units that have a bench."""
    return sorted(path.name for path in UNITS.iterdir() if (path / f"{path.name}_bench.py").is_file())


def unit_top(unit: str) -> Path:
    """The file of a unit bench's top module: a testbench beside the bench, or the module itself."""
    beside = UNITS / unit / f"ga2_{unit}_tb.sv"
    return beside if beside.is_file() else ROOT / "rtl" / f"ga2_{unit}.sv"


def parameters(source: str) -> dict[str, int]:
    """The integer parameters of a module and their defaults."""
    return {name: int(value) for name, value in _PARAMETER.findall(source)}


def _file_list(paths: Sequence[Path]) -> str:
    return "".join(f"      - {path.relative_to(ROOT)}\n" for path in paths)


def _benches() -> list[Path]:
    """The Python side of the benches: what a simulator imports, and not what pytest does."""
    files = sorted((ROOT / "verif").rglob("*.py"))
    return [path for path in files if not path.name.startswith("test_") and path.name != "conftest.py"]


def filesets() -> dict[str, list[Path]]:
    """The files of every generated fileset, in order."""
    made = {name: sorted_by_use((ROOT / folder).glob("*.sv")) for name, folder in FOLDERS.items()}
    return made | {"unit_tb": sorted_by_use(UNITS.glob("*/*.sv")), "benches": _benches()}


def unit_targets() -> str:
    """A target for every unit bench."""
    lines = []
    for unit in units():
        top = unit_top(unit)
        names = [
            name if name in SHAPE else f"{name}={value}" for name, value in parameters(top.read_text()).items()
        ]
        lines += [
            f"  sim_{unit}:",
            f"    description: Unit bench of ga2_{unit}",
            "    filesets: [rtl, tb, unit_tb, benches]",
            f"    toplevel: {top.stem}",
            "    flow: ga2sim",
            "    flow_options:",
            "      <<: *simulation",
            f"      cocotb_module: verif.unit.{unit}.{unit}_bench",
            f"    parameters: [{', '.join(names)}]",
            "",
        ]
    return "\n".join(lines)


def unit_parameters() -> str:
    """The declarations of the parameters that only unit benches have."""
    every = {name for unit in units() for name in parameters(unit_top(unit).read_text())}
    by_hand = CORE_FILE.read_text().partition(BEGIN.format("parameters"))[0]
    declared = set(re.findall(r"^  (\w+): \{datatype", by_hand, re.MULTILINE))
    return "".join(f"  {name}: {{datatype: int, paramtype: vlogparam}}\n" for name in sorted(every - declared))


def _with_region(text: str, name: str, body: str) -> str:
    head, begun, rest = text.partition(BEGIN.format(name))
    _, ended, tail = rest.partition(END)
    if not begun or not ended:
        raise ValueError(f"fusesoc.core: no region '{BEGIN.format(name).strip()}' ... '{END.strip()}'")
    return f"{head}{begun}{body}{ended}{tail}"


def core_text() -> str:
    """`fusesoc.core` with its lists made anew from the folders."""
    text = CORE_FILE.read_text()
    for fileset, files in filesets().items():
        pattern = rf"(?m)(^  {fileset}:\n(?:    [a-z_]+:.*\n)*?    files:)[^\n]*\n(?:      - .*\n)*"
        text, count = re.subn(pattern, rf"\g<1>\n{_file_list(files)}", text)
        if count != 1:
            raise ValueError(f"fusesoc.core: no fileset '{fileset}' with a list of files")
    return _with_region(_with_region(text, "units", unit_targets()), "parameters", unit_parameters())


def main(check: bool = False) -> bool:
    """Write `fusesoc.core` if it has drifted from the folders; True if it was up to date."""
    text = core_text()
    fresh = text == CORE_FILE.read_text()
    if not fresh and not check:
        CORE_FILE.write_text(text)
    return fresh
