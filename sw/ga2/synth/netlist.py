# SPDX-License-Identifier: Apache-2.0
"""A flat ECP5 netlist as Yosys writes it: its cells, and the instance of the design that each belongs to.

Flattening and mapping keep the names of registers and memories, not those of look-up tables. A cell without a name
therefore belongs to the instance of the nearest named signal that it drives, over as few cells as possible.
"""

import json
from collections import Counter, defaultdict, deque
from pathlib import Path
from typing import Any

from ga2.synth.design import Design

CELL_TYPES = {
    "LUT4": "look-up tables",
    "TRELLIS_FF": "flip-flops",
    "CCU2C": "carry cells of two bits",
    "MULT18X18D": "multipliers of 18 x 18 bits",
    "DP16KD": "block RAMs of 18 Kbit",
    "TRELLIS_DPR16X4": "distributed RAMs of 16 x 4 bits",
}
# House style tells who drives a net that has several names: _q a register, _o an output, _i an input of another.
_SUFFIX_RANK = {"_q": 0, "_o": 1, "_i": 3}
_OTHER_RANK = 2


def _rank(name: str) -> tuple[int, int]:
    """Order of a net's names: the driver's own first, then the deepest."""
    stem = name.rpartition(".")[2].partition("[")[0]
    return _SUFFIX_RANK.get(stem[-2:], _OTHER_RANK), -name.count(".")


class Netlist:
    """The top module of a netlist file."""

    def __init__(self, module: dict[str, Any], design: Design) -> None:
        self.design = design
        self.types: dict[str, str] = {name: cell["type"] for name, cell in module["cells"].items()}
        self._names = self._public_names(module["netnames"])
        self._outputs: dict[str, list[int]] = {}
        drivers: dict[int, str] = {}
        inputs: dict[str, list[int]] = {}
        for name, cell in module["cells"].items():
            sides: dict[str, list[int]] = {"input": [], "output": []}
            for port, bits in cell["connections"].items():
                sides[cell["port_directions"][port]] += [bit for bit in bits if isinstance(bit, int)]
            inputs[name], self._outputs[name] = sides["input"], sides["output"]
            drivers.update((bit, name) for bit in sides["output"])
        self.owner = self._owners(inputs, drivers)

    @staticmethod
    def _public_names(netnames: dict[str, Any]) -> dict[int, str]:
        best: dict[int, tuple[tuple[int, int], str]] = {}
        for name, net in netnames.items():
            if net.get("hide_name"):
                continue
            rank = _rank(name)
            for index, bit in enumerate(net["bits"]):
                if isinstance(bit, int) and (bit not in best or rank < best[bit][0]):
                    indexed = f"{name}[{net.get('offset', 0) + index}]" if len(net["bits"]) > 1 else name
                    best[bit] = rank, indexed
        return {bit: name for bit, (_, name) in best.items()}

    def signal(self, cell: str) -> str | None:
        """The design's name of a register or memory, or of a signal that another cell drives, if it kept one."""
        if not cell.startswith("$"):
            return cell.partition("\\")[0]  # "sum_q[3]\\TRELLIS_FF"
        named = [self._names[bit] for bit in self._outputs.get(cell, ()) if bit in self._names]
        return min(named, key=_rank, default=None)

    def _owners(self, inputs: dict[str, list[int]], drivers: dict[int, str]) -> dict[str, str]:
        """The instance path of every cell."""
        owner: dict[str, str] = {}
        for name in self.types:
            known = self.signal(name)
            if known is not None:
                path = self.design.module_of(known)[0]
                # only an input's name: it is driven from outside the instance that has this input
                owner[name] = path if _rank(known)[0] <= _OTHER_RANK else path.rpartition(".")[0]
        todo = deque(owner)
        while todo:
            name = todo.popleft()
            for bit in inputs[name]:
                feeder = drivers.get(bit)
                if feeder is not None and feeder not in owner:
                    owner[feeder] = owner[name]
                    todo.append(feeder)
        return {name: owner.get(name, "") for name in self.types}

    def inside(self, path: str) -> bool:
        """True for the part of the design that figures count."""
        part = self.design.part
        return not part or path == part or path.startswith(part + ".")

    def totals(self) -> dict[str, int]:
        """Cells of each type in the counted part."""
        found = Counter(kind for name, kind in self.types.items() if self.inside(self.owner[name]))
        return {kind: found[kind] for kind in CELL_TYPES}

    def by_module(self) -> dict[str, dict[str, int]]:
        """Cells of each type by module, with the instances below counted apart; most look-up tables first."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for name, kind in self.types.items():
            if self.inside(self.owner[name]):
                counts[self.design.module_of(self.owner[name])[1]][kind] += 1
        order = sorted(counts, key=lambda module: (-counts[module]["LUT4"], module))
        return {module: {kind: counts[module][kind] for kind in CELL_TYPES} for module in order}


def read_netlist(path: Path, design: Design) -> Netlist:
    """The netlist in a file that Yosys' write_json made."""
    return Netlist(json.loads(path.read_text())["modules"][design.top], design)
