# SPDX-License-Identifier: Apache-2.0
"""The generator (`verif/programs`, beside the packages and not one of them) as the command line sees it."""

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from ga2.sim.sources import ROOT
from ga2.spec import load_config


class Wrong(ValueError):
    """A case or settings that cannot be had; one line says why."""


@cache
def _module(name: str) -> ModuleType:
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    return import_module(f"verif.programs.{name}")


def listing(case: str, config: str, settings: str) -> str:
    """A case, named by its seed or its file, as readable text; Wrong if there is none."""
    try:
        if case.isdecimal():
            drawn = _module("draw").draw_case(load_config(config), int(case), settings)
        else:
            drawn = _module("case").load_case(Path(case))
    except (_module("case").CaseError, _module("settings_files").SettingsError) as error:
        raise Wrong(str(error)) from None
    return _module("listing").listing(drawn)


def config_of(path: str) -> str:
    """The configuration of a stored case."""
    return _module("case").load_case(Path(path)).config
