# SPDX-License-Identifier: Apache-2.0
"""Yosys: from the sources to an ECP5 netlist, or to gates."""

import re
from collections.abc import Callable
from pathlib import Path

from ga2.sim import tools
from ga2.sim.errors import BuildError, tail
from ga2.sim.process import python_path, supervise
from ga2.sim.sources import ROOT
from ga2.synth import child
from ga2.synth.design import Design

Watch = Callable[[float], None]  # receives the share of the work done, 0 to 1

_ECP5_PASSES = 46  # numbered passes of synth_ecp5; the last, abc9, takes about as long as all before it
# ABC's own script, but a wire counts 1 ns instead of the flow's 0.3: ABC then spends area to pass fewer look-up tables,
# and with them fewer wires, on the long paths.
_ABC_SCRIPT = "+&scorr;&sweep;&dc2;&dch,-f,-r;&ps;&if,-W,1000,-v;&mfs"
_PASS = re.compile(r"^\d+\.(\d+)\. ", re.MULTILINE)


def recent(log: Path, size: int = 20_000) -> str:
    """The last `size` bytes of a log."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - size))
        return file.read().decode(errors="replace")


def ecp5_passes(design: Design, netlist: Path) -> list[str]:
    """The passes that write the ECP5 netlist of a design.

    synth_ecp5's own last step would also run `autoname`, which names cells after whatever they are close to.
    """
    return [
        f'scratchpad -set abc9.script "{_ABC_SCRIPT}"',
        design.read,
        f"synth_ecp5 -top {design.top} -run begin:map_luts",
        "rename -wire t:TRELLIS_FF",  # the last place where a register still knows its name
        f"synth_ecp5 -top {design.top} -run map_luts:check",
        "hierarchy -check",
        "stat",
        "check -noinit",
        "blackbox =A:whitebox",
        f'write_json "{netlist}"',
    ]


def generic_passes(design: Design, statistics: Path, path: Path) -> list[str]:
    """The passes that map a design to gates, keep its memories, and write cells (JSON) and the longest path (text)."""
    return [
        design.read,
        f"synth -flatten -top {design.top} -run begin:fine",
        "opt -fast -full",
        "memory_dff",
        "memory_collect",
        "alumacc",
        "techmap",
        "opt -fast",
        "abc",
        "opt_clean",
        "memory_unpack",  # memories are counted in bits
        f'tee -o "{statistics}" stat -json',
        "delete t:$memrd* t:$memwr*",  # a path begins or ends at a memory
        f'tee -o "{path}" ltp -noff',
    ]


def run_yosys(passes: list[str], log: Path, watch: Watch) -> None:
    """Run Yosys on the passes; BuildError with the log's tail if one fails."""

    def look() -> None:
        numbers = _PASS.findall(recent(log))
        if numbers:
            watch(0.5 * min(1.0, int(numbers[-1]) / _ECP5_PASSES))

    child.need("yosys")
    code = supervise(
        child.command("yosys", passes),
        directory=ROOT,
        log=log,
        env=tools.environment() | {"PYTHONPATH": python_path()},
        watch=look,
    )
    if code != 0:
        raise BuildError(f"yosys failed; log: {log}\n{tail(recent(log))}")
