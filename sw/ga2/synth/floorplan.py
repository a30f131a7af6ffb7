# SPDX-License-Identifier: Apache-2.0
"""Where the block RAMs stand on the device.

The device has its block RAMs in rows that run across it. A placer left to itself lines all of them up in one row: the
readers of the scratchpad, each of which selects among all banks, then draw their wires along half the device, and the
router finds no room. So each row takes, in its middle, one slice of the word of all banks.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

_ROWS = (46, 22, 70)  # from the middle of the device outwards
_SITES = ("X42/Y{}/EBR1", "X46/Y{}/EBR3", "X51/Y{}/EBR1", "X55/Y{}/EBR3",  # every other site about a row's middle,
          "X60/Y{}/EBR1", "X64/Y{}/EBR3", "X71/Y{}/EBR1", "X75/Y{}/EBR3")  # from left to right: wires need room
# A memory of several block RAMs has one for each `row` of words and each `slice` of a word.
_BANK = re.compile(r".*\.gen_bank\[(?P<bank>\d+)\]\.u_bank\.mem_q\.(?P<row>\d+)\.(?P<slice>\d+)")
_PROGRAM = re.compile(r".*u_imem\.mem_q\.(?P<row>\d+)\.(?P<slice>\d+)")


def sites(block_rams: Iterable[str]) -> dict[str, str]:
    """The site of each block RAM that has a fixed one: a slice of all banks shares a row, the program has the next.

    `block_rams` are names of cells. What does not fit into a row, or finds none left, is the placer's to place.
    """
    slices: dict[tuple[int, int], list[tuple[int, str]]] = defaultdict(list)
    program: list[tuple[int, str]] = []
    for name in block_rams:
        if found := _BANK.fullmatch(name):
            slices[int(found["row"]), int(found["slice"])].append((int(found["bank"]), name))
        elif found := _PROGRAM.fullmatch(name):
            program.append((int(found["slice"]), name))
    groups = [group for _, group in sorted(slices.items())] + [program]
    fitting = [group for group in groups if len(group) <= len(_SITES)]
    return {
        name: site.format(row)
        for row, group in zip(_ROWS, fitting, strict=False)
        for site, (_, name) in zip(_SITES, sorted(group), strict=False)
    }


def fix_block_rams(netlist: Path, top: str) -> None:
    """Write the sites of block RAMs into a netlist file, as attributes that the placer obeys."""
    design = json.loads(netlist.read_text())
    cells = design["modules"][top]["cells"]
    fixed = sites(name for name, cell in cells.items() if cell["type"] == "DP16KD")
    for name, site in fixed.items():
        cells[name]["attributes"]["BEL"] = site
    netlist.write_text(json.dumps(design))
