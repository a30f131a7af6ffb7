# SPDX-License-Identifier: Apache-2.0
"""What FuseSoC hands to a flow (EDAM: files, parameters, options), made ready: configuration, tool, folder.

Edam here is the dictionary that edalize documents as EDA Metadata. Errors are RuntimeErrors of one line, which
FuseSoC prints before it exits with 1.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ga2.sim import SIMULATORS, tools
from ga2.sim.build import core_parameters
from ga2.spec import load_config

Edam = dict[str, Any]

CONFIG_OPTION = {
    "config": {
        "type": "str",
        "desc": "A configuration of spec/configurations.yaml, which gives its fields to the parameters of their names",
    }
}


def options(edam: Edam) -> dict[str, Any]:
    """Flow and tool options, as the core file and the command line give them."""
    return edam.setdefault("flow_options", {})


def configure_parameters(edam: Edam) -> str:
    """Give Verilog parameters that have no value the value of the configuration; the configuration's name or ''.

    A value in the core file or on the command line stays.
    """
    name = options(edam).get("config", "")
    if name:
        try:
            sizes = core_parameters(load_config(name))
        except ValueError as error:
            raise RuntimeError(str(error)) from None
        for parameter, entry in edam.get("parameters", {}).items():
            if entry["paramtype"] == "vlogparam" and entry.get("default") is None and parameter in sizes:
                entry["default"] = sizes[parameter]
    return name


def choose_tool(edam: Edam, known: Sequence[str] = SIMULATORS) -> str:
    """The tool, one of `known`, checked to be there. `--tool` counts on either side of the core's name."""
    tool = next(iter(edam.get("tool_options", {})), None) or options(edam).get("tool", known[0])
    if tool not in known:
        raise RuntimeError(f"unknown tool '{tool}': choose one of {', '.join(known)}")
    tools.version(tool)
    options(edam)["tool"] = tool
    return tool


def move(edam: Edam, work_root: Path, folder: Path) -> None:
    """Make the files' paths, relative to `work_root`, relative to `folder`."""
    for file in edam.get("files", []):
        for key in ("name", "include_path"):
            if key in file and not os.path.isabs(file[key]):
                file[key] = os.path.relpath(work_root / file[key], folder)


def bench_environment(edam: Edam) -> dict[str, str]:
    """What a bench reads: GA2_CONFIG, and GA2_<NAME> for every Verilog parameter that has a value."""
    seen = {
        f"GA2_{name}": str(entry["default"])
        for name, entry in edam.get("parameters", {}).items()
        if entry["paramtype"] == "vlogparam" and entry.get("default") is not None
    }
    config = options(edam).get("config")
    return seen | ({"GA2_CONFIG": config} if config else {})


def module_folder(edam: Edam, module: str, folder: Path) -> list[Path]:
    """The folder from which `module` is imported, if a file of the core is that module."""
    ending = Path(*module.split(".")).with_suffix(".py").parts
    for file in edam.get("files", []):
        parts = Path(os.path.abspath(folder / file["name"])).parts
        if parts[-len(ending) :] == ending:
            return [Path(*parts[: -len(ending)])]
    return []


def environment(extra: Mapping[str, str] = {}) -> dict[str, str]:
    """This process's environment, with the tools of `make setup` and of this Python first in PATH.

    Without the variables by which a calling make speaks to its children: the one below is not its child.
    """
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), tools.environment()["PATH"]])
    return env | dict(extra)
