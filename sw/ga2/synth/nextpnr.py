# SPDX-License-Identifier: Apache-2.0
"""nextpnr: place and route an ECP5 netlist, and read its report."""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ga2.sim import tools
from ga2.sim.errors import BuildError, tail
from ga2.sim.process import python_path, supervise
from ga2.synth import child
from ga2.synth.yosys import Watch, recent

DEVICE = "LFE5U-85F-6BG756"  # the largest of the family, in its slowest speed grade
_DEVICE_OPTIONS = ("--85k", "--speed", "6", "--package", "CABGA756")
_TARGET_MHZ = 80  # what placement and routing strive for
# For a design that does not fit its wires otherwise: the placer that gives the shortest ones, and the router that lets
# nets share a wire at first and parts them pass by pass.
_DENSE = ("--placer", "static", "--router", "router2")
_PLACER_SHARE = 0.5  # of the time
# How far the placers have come, and their iterations, about; they stop by themselves.
_PLACING = (
    (re.compile(r"at iteration #(\d+), type"), 30),
    (re.compile(r"^Info: iter=(\d+) steplen", re.MULTILINE), 540),
)
_ARCS = re.compile(r"^Info: Routing (\d+) arcs", re.MULTILINE)
_REMAINING = re.compile(r"^Info: +\d+ \|.*\| +(\d+) ?\|", re.MULTILINE)
_SHARED = re.compile(r"^Info: +iter=\d+ wires=\d+ overused=(\d+)", re.MULTILINE)
_WIRES_AT_FIRST = 40_000  # that a large design shares after the first pass
_PATIENCE = 30  # passes without a wire less to share, after which the router, which never ends by itself, is given up


@dataclass(frozen=True)
class Step:
    """One piece of a path: `kind` is clk-to-q, logic, routing or setup; cells as the netlist names them."""

    kind: str
    delay_ns: float
    source: str
    target: str


@dataclass(frozen=True)
class Routed:
    """A placed and routed design: the highest clock it closes at, its slowest path, and the sites it uses."""

    seed: int
    fmax_mhz: float
    path: tuple[Step, ...]
    used: dict[str, int]


def _placed(text: str) -> float:
    for iteration, about in _PLACING:
        if done := iteration.findall(text):
            return min(1.0, int(done[-1]) / about)
    return 0.0


def _progress(text: str) -> float:
    arcs, shared = _ARCS.search(text), _SHARED.findall(text)
    if shared:  # each pass parts a like portion of what is still shared
        routed = 1 - math.log1p(int(shared[-1])) / math.log1p(_WIRES_AT_FIRST)
    elif arcs is not None:
        left = _REMAINING.findall(text)
        routed = 1 - int(left[-1]) / int(arcs[1]) if left else 0.0
    else:
        return _PLACER_SHARE * _placed(text)
    return _PLACER_SHARE + (1 - _PLACER_SHARE) * max(0.0, routed)


def hopeless(shared: Sequence[int]) -> bool:
    """Whether the router stands still, by the wires that several nets share after each of its passes."""
    return len(shared) > _PATIENCE and min(shared[-_PATIENCE:]) >= min(shared[:-_PATIENCE])


def read_report(text: str, seed: int) -> Routed:
    """The figures of nextpnr's JSON report; ValueError if it has no clock or no path from register to register."""
    report: dict[str, Any] = json.loads(text)
    clocks = report["fmax"]
    paths = [path["path"] for path in report["critical_paths"] if path["from"] == path["to"] and path["path"]]
    if len(clocks) != 1 or len(paths) != 1:
        raise ValueError(f"nextpnr's report has {len(clocks)} clocks and {len(paths)} paths within one; 1 expected")
    steps = tuple(
        Step(step["type"], float(step["delay"]), step["from"]["cell"], step["to"]["cell"]) for step in paths[0]
    )
    (clock,) = clocks.values()
    used = {kind: int(count["used"]) for kind, count in report["utilization"].items() if count["used"]}
    return Routed(seed, float(clock["achieved"]), steps, used)


def route(netlist: Path, top: str, seed: int, watch: Watch, *, dense: bool = False) -> Routed:
    """Place and route a netlist with a seed. Log and report stay beside it; BuildError if nextpnr fails or is stuck.

    dense: by the methods that find room for more wires, for a design with a floorplan.
    """
    log, report = (netlist.parent / f"nextpnr-{seed}.{suffix}" for suffix in ("log", "json"))
    child.need("nextpnr-ecp5")
    arguments = [
        *_DEVICE_OPTIONS,
        *(_DENSE if dense else ()),
        *("--freq", str(_TARGET_MHZ), "--timing-allow-fail", "--lpf-allow-unconstrained"),
        *("--seed", str(seed), "--top", top, "--json", netlist.name, "--report", report.name),
    ]

    def look() -> None:
        text = recent(log)
        shared = [int(count) for count in _SHARED.findall(text)]
        if hopeless(shared):
            raise BuildError(f"nextpnr finds no routes: {min(shared)} wires or more stay with several nets; log: {log}")
        watch(_progress(text))

    code = supervise(
        child.command("nextpnr-ecp5", arguments),
        directory=netlist.parent,
        log=log,
        env=tools.environment() | {"PYTHONPATH": python_path()},
        watch=look,
    )
    if code != 0 or not report.exists():
        raise BuildError(f"nextpnr failed; log: {log}\n{tail(recent(log))}")
    return read_report(report.read_text(), seed)
