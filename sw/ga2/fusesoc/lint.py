# SPDX-License-Identifier: Apache-2.0
"""The flow `ga2lint`: edalize's lint of a configuration, with the Verilator of `make setup`."""

from copy import deepcopy
from pathlib import Path
from typing import Any

from edalize.flows.lint import Lint

from ga2.fusesoc.edam import CONFIG_OPTION, Edam, choose_tool, configure_parameters
from ga2.fusesoc.stages import Stages


class Ga2lint(Stages, Lint):
    """Lint a core with Verilator; `config` names the configuration whose parameters it gets."""

    FLOW_OPTIONS = {**Lint.FLOW_OPTIONS, **CONFIG_OPTION}

    def __init__(self, edam: Edam, work_root: str, verbose: bool = False) -> None:
        edam = deepcopy(edam)
        choose_tool(edam, ["verilator"])
        self.config = configure_parameters(edam)
        super().__init__(edam, self.claim(edam, Path(work_root), self.config or "own"), verbose)

    @classmethod
    def get_tool_options(cls, flow_options: dict[str, Any]) -> dict[str, Any]:
        """Verilator's, whatever the core file calls the tool."""
        return super().get_tool_options({**flow_options, "tool": "verilator"})

    def run(self, args: Any = None) -> None:
        """Nothing is left to do: the build is the lint."""
        print(f"lint: {self.edam['toplevel']}{f' ({self.config})' if self.config else ''}: passed")
