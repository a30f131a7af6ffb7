# SPDX-License-Identifier: Apache-2.0
"""The two synthesis runs: on an ECP5, placed and routed, and to gates without a device.

A run works in a temporary folder, which becomes `build/synth/<name>` when it is complete: an interrupted run leaves
nothing, and of two at once the later one stays.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from ga2.sim.build import build_root
from ga2.sim.errors import BuildError
from ga2.synth import child
from ga2.synth.critical import describe
from ga2.synth.design import Design, bare_core, core
from ga2.synth.floorplan import floorplan
from ga2.synth.measured import Measurement
from ga2.synth.netlist import Netlist, read_netlist
from ga2.synth.nextpnr import DEVICE, Routed, route
from ga2.synth.yosys import ecp5_passes, generic_passes, run_yosys

Report = Callable[[str, float], None]  # receives the step under way and the share of it that is done, 0 to 1
SEEDS = (1,)  # of the placement
_LONGEST = re.compile(r"Longest topological path in .* \(length=(\d+)\)")


@dataclass(frozen=True)
class Generic:
    """A design in gates: cells by type, bits kept in memories, and the gates on the longest path."""

    cells: dict[str, int]
    memory_bits: int
    depth: int


def steps(seeds: Sequence[int]) -> list[str]:
    """The steps of an ECP5 run, in order."""
    return ["synthesis", *(f"seed {seed}" for seed in seeds)]


def folder(name: str) -> Path:
    """Where the netlist, logs and reports of the last complete run are."""
    return build_root() / "synth" / name


def _put(work: Path, final: Path) -> None:
    """Rename a finished folder to its final name, in place of what is there."""
    while True:
        try:
            work.rename(final)
            return
        except OSError:  # there is one already, or another run has just put its own
            if not final.exists():
                raise
            old = Path(tempfile.mkdtemp(prefix=f".old-{final.name}-", dir=final.parent))
            with suppress(FileNotFoundError):
                final.rename(old / "old")
            shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _workspace(name: str) -> Iterator[Path]:
    final = folder(name)
    final.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".making-{name}-", dir=final.parent))
    work.chmod(0o755)
    try:
        yield work
        _put(work, final)
    except BuildError as error:
        failed = final.with_name(f"{name}-failed")
        _put(work, failed)
        raise BuildError(str(error).replace(str(work), str(failed))) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def summary(design: Design, netlist: Netlist, routed: Sequence[Routed]) -> Measurement:
    """The figures of a netlist and of its routed placements; the path is that of the fastest."""
    best = max(routed, key=lambda result: (result.fmax_mhz, -result.seed))
    return Measurement(
        digest=design.digest,
        device=DEVICE,
        tools={package: version(package.replace("_", "-")) for package in child.PACKAGES.values()},
        fmax_mhz={str(result.seed): round(result.fmax_mhz, 2) for result in routed},
        cells=netlist.totals(),
        modules=netlist.by_module(),
        used=best.used,
        path=describe(best, netlist),
    )


def measure(design: Design, name: str, seeds: Sequence[int], report: Report) -> Measurement:
    """Synthesise, place and route a design; everything the tools wrote stays in `folder(name)`.

    Raises ToolMissing or BuildError.
    """
    for tool in child.PACKAGES:
        child.need(tool)
    with _workspace(name) as work:
        file = work / "netlist.json"
        run_yosys(ecp5_passes(design, file), work / "yosys.log", lambda done: report("synthesis", done))
        netlist = read_netlist(file, design)
        dense = floorplan(file, design.top)
        routed = [
            route(file, design.top, seed, lambda done: report(f"seed {seed}", done), dense=dense) for seed in seeds
        ]
        measurement = summary(design, netlist, routed)
        (work / "measurement.json").write_text(measurement.model_dump_json(indent=1) + "\n")
    return measurement


def synthesise(config: str, seeds: Sequence[int] = SEEDS, report: Report = lambda _step, _done: None) -> Measurement:
    """Measure the core of a named configuration on the FPGA; nothing is put on record."""
    return measure(core(config), config, seeds, report)


def gates(design: Design, name: str, report: Report) -> Generic:
    """Map a design to gates and find its depth; needs no place and route. Raises ToolMissing or BuildError."""
    child.need("yosys")
    with _workspace(f"{name}-generic") as work:
        statistics, path = work / "stat.json", work / "path.txt"
        run_yosys(generic_passes(design, statistics, path), work / "yosys.log", lambda done: report("synthesis", done))
        return read_generic(statistics.read_text(), path.read_text())


def read_generic(statistics: str, path: str) -> Generic:
    """The figures in Yosys' `stat -json` and `ltp`; BuildError if they are not there."""
    found = json.loads(statistics[statistics.index("{"):])["design"]
    longest = _LONGEST.search(path)
    if longest is None:
        raise BuildError("yosys named no longest path")
    cells = {kind.strip("$_"): count for kind, count in found["num_cells_by_type"].items() if "mem" not in kind}
    return Generic(cells, found["num_memory_bits"], int(longest[1]))


def generic(config: str, report: Report = lambda _step, _done: None) -> Generic:
    """The core of a named configuration in gates."""
    return gates(bare_core(config), config, report)
