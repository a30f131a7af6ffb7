# SPDX-License-Identifier: Apache-2.0
"""A routed path in the design's words: registers and modules instead of cells."""

import re
from itertools import groupby

from ga2.synth.measured import CriticalPath
from ga2.synth.netlist import Netlist
from ga2.synth.nextpnr import Routed

_PACKED = re.compile(r"(_SLICE|_COMB\d?|_FF|_PACKED)$")  # what packing appends to a cell's name


def _cell(netlist: Netlist, name: str) -> str | None:
    """The netlist's cell behind a packed one, if it is one of the netlist's."""
    while name not in netlist.types:
        shorter = _PACKED.sub("", name)
        if shorter == name:
            return None
        name = shorter
    return name


def _register(netlist: Netlist, name: str) -> tuple[str, str]:
    """(name, module) of the register or memory behind a cell of the path."""
    cell = _cell(netlist, name)
    if cell is None:
        return name, netlist.design.top
    text = netlist.signal(cell) or cell
    return text, netlist.design.module_of(netlist.owner[cell])[1]


def describe(routed: Routed, netlist: Netlist) -> CriticalPath:
    """The routed design's slowest path, from register to register."""
    start, start_module = _register(netlist, routed.path[0].source)
    end, end_module = _register(netlist, routed.path[-1].target)
    cells = [_cell(netlist, step.source) for step in routed.path if step.kind == "logic"]
    modules = [netlist.design.module_of(netlist.owner[cell])[1] for cell in cells if cell is not None]
    routing = sum(step.delay_ns for step in routed.path if step.kind == "routing")
    total = sum(step.delay_ns for step in routed.path)
    return CriticalPath(
        start=start,
        start_module=start_module,
        end=end,
        end_module=end_module,
        through=tuple(module for module, _ in groupby(modules)),
        delay_ns=round(total, 2),
        logic_ns=round(total - routing, 2),
        routing_ns=round(routing, 2),
        levels=len(cells),
    )
