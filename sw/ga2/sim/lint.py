# SPDX-License-Identifier: Apache-2.0
"""Lint of the SystemVerilog: every Verilator warning on each configuration and proof, Yosys' front end, verible."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ga2.formal.table import FOLDER, Proof, load
from ga2.sim import tools
from ga2.sim.build import AXI_TESTBENCH, CORE_TESTBENCH, HOSTILE_TESTBENCH, core_parameters
from ga2.sim.errors import ToolMissing
from ga2.sim.sources import ROOT, catalogue, closure
from ga2.spec import CONFIG_NAMES, load_config

CORE_TOP = "ga2_top"
SYNTHESIS_TOP = "ga2_ecp5"
# Line length and the house's names of parameters follow the style guide; the rest of verible's defaults hold.
VERIBLE_RULES = ROOT / ".rules.verible_lint"


def _passes(what: str, command: Sequence[str]) -> bool:
    result = subprocess.run(command, env=tools.environment(), capture_output=True, text=True, cwd=ROOT, check=False)
    good = result.returncode == 0 and not result.stderr.strip()
    print(f"lint: {what}: {'ok' if good else 'FAILED'}")
    if not good:
        print(result.stdout + result.stderr, f"to reproduce: {' '.join(command)}", sep="\n", file=sys.stderr)
    return good


def _relative(paths: Sequence[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def verilator_command(top: str, config: str, **more: int) -> list[str]:
    """The command that checks `top` with the parameters of a configuration and `more` of its own."""
    sizes = core_parameters(load_config(config)) | more
    parameters = [f"-G{name}={value}" for name, value in sizes.items()]
    sources = _relative(closure([top], catalogue()))
    return ["verilator", "--lint-only", "-Wall", "--timescale", "1ns/1ps", "--top-module", top, *parameters, *sources]


def proof_command(proof: Proof) -> list[str]:
    """The command that checks a proof's top module with its parameters.

    A proof reads a few fields of what it watches and leaves outputs open; its reset is a register that starts at 0.
    """
    waived = [f"-Wno-{name}" for name in ("PINCONNECTEMPTY", "UNUSEDSIGNAL", "PROCASSINIT", "SYNCASYNCNET")]
    sizes = [f"-G{name}={value}" for name, value in proof.parameters.items()]
    options = ["--lint-only", "-Wall", *waived, "--timescale", "1ns/1ps", "--top-module", proof.top]
    return ["verilator", *options, *sizes, *_relative(proof.sources)]


def slang_command(top: str) -> list[str]:
    """The command that reads `top` with Yosys' SystemVerilog front end and checks it."""
    files = " ".join(_relative(closure([top], catalogue())))
    script = f"read_slang -D SYNTHESIS --top {top} {files}; hierarchy -check; proc; check -assert"
    return [sys.executable, "-c", f"from pyosys import libyosys; libyosys.Design().run_pass({script!r})"]


def _verible() -> str:
    program = shutil.which("verible-verilog-lint", path=f"{Path(sys.executable).parent}:{tools.environment()['PATH']}")
    if program is None:
        raise ToolMissing("verible-verilog-lint not found: run 'make setup'")
    return program


def lint() -> bool:
    """True when nothing complains; complaints go to stderr with the command that repeats them."""
    tools.version("verilator")
    results = [
        _passes(f"verilator {top} {config}", verilator_command(top, config))
        for top in (CORE_TOP, SYNTHESIS_TOP, CORE_TESTBENCH, AXI_TESTBENCH, HOSTILE_TESTBENCH)
        for config in CONFIG_NAMES
    ]
    probed = _passes("verilator with waves", verilator_command(CORE_TESTBENCH, CONFIG_NAMES[0], WAVES=1))
    proofs = [_passes(f"verilator proof {name}", proof_command(proof)) for name, proof in load().items()]
    style = [_verible(), f"--rules_config={VERIBLE_RULES}", *_relative([*catalogue(), *FOLDER.glob("*.sv")])]
    synthesis = _passes("yosys " + SYNTHESIS_TOP, slang_command(SYNTHESIS_TOP))
    return all([*results, *proofs, probed, synthesis, _passes("verible", style)])
