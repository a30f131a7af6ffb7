# SPDX-License-Identifier: Apache-2.0
"""Where the block RAMs stand on the device, and where wires get room.

The device has its block RAMs in rows that run across it. A placer left to itself lines all of them up in one row: the
readers of the scratchpad, each of which selects among all banks, then draw their wires along half the device, and the
router finds no room. So each row takes, in its middle, one slice of the word of all banks; and around them, where the
selection comes to lie, every other row of logic stays empty, because the tiles of an empty row still carry wires.

A design whose word fits one block RAM routes without any of this, and its estimated clock is higher without.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

_ROWS = (46, 22, 70)  # of block RAMs, from the middle of the device outwards
_SITES = ("X42/Y{}/EBR1", "X46/Y{}/EBR3", "X51/Y{}/EBR1", "X55/Y{}/EBR3",  # every other site about a row's middle,
          "X60/Y{}/EBR1", "X64/Y{}/EBR3", "X71/Y{}/EBR1", "X75/Y{}/EBR3")  # from left to right: wires need room
_EMPTY_ROWS = [row for row in range(12, 57, 2) if row not in (22, 34, 46)]  # those have block RAMs or multipliers
_EMPTY_COLUMNS = range(36, 79)
_LOOK_UP_TABLES = [f"SLICE{part}.K{table}" for part in "ABCD" for table in (0, 1)]  # of a tile
# A memory of several block RAMs has one for each `row` of words and each `slice` of a word.
_BANK = re.compile(r".*\.gen_bank\[(?P<bank>\d+)\]\.u_bank\.mem_q\.(?P<row>\d+)\.(?P<slice>\d+)")
_PROGRAM = re.compile(r".*u_imem\.mem_q\.(?P<row>\d+)\.(?P<slice>\d+)")


def sites(block_rams: Iterable[str]) -> dict[str, str]:
    """The site of each block RAM that has a fixed one: a slice of all banks shares a row, the program has the next.

    `block_rams` are names of cells. None has a site if words of the scratchpad are of one slice; what does not fit into
    a row, or finds none left, is the placer's to place.
    """
    slices: dict[tuple[int, int], list[tuple[int, str]]] = defaultdict(list)
    program: list[tuple[int, str]] = []
    for name in block_rams:
        if found := _BANK.fullmatch(name):
            slices[int(found["row"]), int(found["slice"])].append((int(found["bank"]), name))
        elif found := _PROGRAM.fullmatch(name):
            program.append((int(found["slice"]), name))
    if len({part for _, part in slices}) < 2:
        return {}
    groups = [group for _, group in sorted(slices.items())] + [program]
    fitting = [group for group in groups if len(group) <= len(_SITES)]
    return {
        name: site.format(row)
        for row, group in zip(_ROWS, fitting, strict=False)
        for site, (_, name) in zip(_SITES, sorted(group), strict=False)
    }


def _keepouts() -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and cell of look-up tables without a connection, one on each site that is to stay empty."""
    ports = {"A": "input", "B": "input", "C": "input", "D": "input", "Z": "output"}
    for row in _EMPTY_ROWS:
        for column in _EMPTY_COLUMNS:
            for table in _LOOK_UP_TABLES:
                site = f"X{column}/Y{row}/{table}"
                yield f"keepout {site}", {
                    "hide_name": 0, "type": "LUT4", "parameters": {"INIT": "0" * 16}, "attributes": {"BEL": site},
                    "port_directions": ports, "connections": {port: [] for port in ports},
                }


def floorplan(netlist: Path, top: str) -> bool:
    """Write sites of block RAMs and cells that keep rows empty into a netlist; False if none are due."""
    design = json.loads(netlist.read_text())
    cells = design["modules"][top]["cells"]
    fixed = sites(name for name, cell in cells.items() if cell["type"] == "DP16KD")
    if not fixed:
        return False
    for name, site in fixed.items():
        cells[name]["attributes"]["BEL"] = site
    cells.update(_keepouts())
    netlist.write_text(json.dumps(design))
    return True
