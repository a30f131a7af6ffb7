# SPDX-License-Identifier: Apache-2.0
"""The simulators: where they are, which version they are, and one clear line when one is missing."""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from ga2.sim.errors import ToolMissing

SIMULATORS = ("icarus", "verilator")
OLDEST_VERILATOR = (5, 36)  # what cocotb 2 needs


def environment() -> dict[str, str]:
    """The environment of compilers and simulators: this one, with the Verilator of `make setup` first in PATH."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COCOTB_"))}
    linked = Path(sys.prefix) / "verilator" / "bin"
    if linked.is_dir():
        env["PATH"] = f"{linked}{os.pathsep}{env.get('PATH', os.defpath)}"
    return env


def _first_line(command: list[str], env: dict[str, str]) -> str:
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    return (result.stdout or result.stderr).strip().partition("\n")[0]


def _need(program: str, why: str, path: str) -> None:
    if shutil.which(program, path=path) is None:
        raise ToolMissing(f"{program} not found in PATH ({why}): run 'make setup'")


@cache
def _version(sim: str, path: str) -> str:
    env = environment()
    if sim == "icarus":
        _need("iverilog", "the Icarus Verilog compiler", path)
        _need("vvp", "the Icarus Verilog simulator", path)
        return _first_line(["iverilog", "-V"], env)
    _need("verilator", "the Verilator compiler", path)
    version = _first_line(["verilator", "--version"], env)
    number = re.match(r"Verilator (\d+)\.(\d+)", version)
    if number is None or (int(number[1]), int(number[2])) < OLDEST_VERILATOR:
        raise ToolMissing(f"verilator is {version or 'unusable'}, but cocotb needs 5.036 or newer: run 'make setup'")
    _need("make", "Verilator builds with it", path)
    _need("g++", "Verilator compiles C++ with it", path)
    return f"{version}, {_first_line(['g++', '--version'], env)}"


def version(sim: str) -> str:
    """The simulator's version line; ToolMissing if it or its compiler is not installed, ValueError if unknown."""
    if sim not in SIMULATORS:
        raise ValueError(f"unknown simulator '{sim}': choose one of {', '.join(SIMULATORS)}")
    return _version(sim, environment().get("PATH", os.defpath))


def need_dumping(sim: str) -> None:
    """ToolMissing if the simulator cannot be built to dump: Verilator compresses with liblz4 and zlib."""
    if sim != "verilator":
        return
    for header in ("lz4.h", "zlib.h"):
        command = ["g++", "-E", "-x", "c++", "-include", header, "/dev/null"]
        if subprocess.run(command, env=environment(), capture_output=True, check=False).returncode != 0:
            raise ToolMissing(f"{header} not found (Verilator writes waveforms with it): run 'make setup'")
