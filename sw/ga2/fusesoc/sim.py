# SPDX-License-Identifier: Apache-2.0
"""The flow `ga2sim`: edalize's simulation flow for cocotb, judged by the results file.

edalize 0.6.8 takes a simulation for passed whatever its tests did, and cocotb 2 runs none in it unless GPI_USERS is
set (https://github.com/olofk/edalize/issues/493). This flow sets what is needed and reads results.xml as `ga2.sim`
does: a failed test, no test and no results all fail `fusesoc run`.
"""

import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import cocotb_tools.config
import find_libpython
from edalize.flows.sim import Sim

from ga2.fusesoc.edam import CONFIG_OPTION, Edam, bench_environment, choose_tool, configure_parameters, module_folder
from ga2.fusesoc.stages import Stages
from ga2.sim import SIMULATORS, SimulationError
from ga2.sim.build import OPTIONS, PORTS_ONLY
from ga2.sim.process import COMPILE_JOBS, python_path
from ga2.sim.run import passed_tests

TIMESCALE = "1ns/1ps"
DEFAULTS: dict[str, dict[str, Any]] = {
    "icarus": {"timescale": TIMESCALE, "iverilog_options": ["-g2012", *OPTIONS["icarus"]]},
    "verilator": {
        "verilator_options": [f"--timescale {TIMESCALE}", *OPTIONS["verilator"]],
        "make_options": [f"-j{COMPILE_JOBS}"],
        "run_options": ["+verilator+rand+reset+2", "+verilator+seed+1"],
    },
}


class Ga2sim(Stages, Sim):
    """Run the cocotb tests of `cocotb_module` on a core in Icarus or Verilator."""

    FLOW_OPTIONS = {
        **Sim.FLOW_OPTIONS,
        **CONFIG_OPTION,
        "ports_only": {
            "type": "bool",
            "desc": "The bench reads no signal below the top level: Verilator runs 2 to 10 times faster",
        },
    }

    def __init__(self, edam: Edam, work_root: str, verbose: bool = False) -> None:
        edam = deepcopy(edam)
        self.tool = choose_tool(edam)
        self.module = self._require_flow_option(edam["flow_options"], "cocotb_module")
        config = configure_parameters(edam)
        for name, value in DEFAULTS[self.tool].items():
            given = edam["flow_options"].get(name)
            edam["flow_options"][name] = [*value, *(given or [])] if isinstance(value, list) else given or value
        self.title = f"{self.module} on {edam['toplevel']} ({', '.join(filter(None, [config, self.tool]))})"
        name = "-".join(filter(None, [self.tool, config]))
        super().__init__(edam, self.claim(edam, Path(work_root), name), verbose)

    @classmethod
    def get_tool_options(cls, flow_options: dict[str, Any]) -> dict[str, Any]:
        """The options of every simulator: which one runs is known only when the command line is read."""
        every: dict[str, Any] = {}
        for tool in SIMULATORS:
            every |= super().get_tool_options({**flow_options, "tool": tool})
        return every

    def configure_tools(self, flow: Any) -> None:
        """edalize's, which ends Verilator's options with one that makes every signal visible."""
        super().configure_tools(flow)
        if self.tool == "verilator" and self.flow_options.get("ports_only"):
            flow.get_node("verilator").inst.vc.append(PORTS_ONLY)

    def run(self, args: Any = None) -> None:
        """Run the tests; RuntimeError unless there is at least one and all passed."""
        results = self.work_root / "results.xml"
        results.unlink(missing_ok=True)
        command, arguments, _ = self.flow.get_node(self.tool).inst.run()
        self.command([command, *arguments], self._bench(results), must_succeed=False)
        try:
            tests = passed_tests(results)
        except SimulationError as error:
            raise RuntimeError(f"{self.title}: {error}; results: {results}") from None
        print(f"{self.title}: {tests} {'test' if tests == 1 else 'tests'} passed")

    def _bench(self, results: Path) -> dict[str, str]:
        """The environment of the simulation."""
        libpython = find_libpython.find_libpython()
        return bench_environment(self.edam) | {
            "COCOTB_TEST_MODULES": self.module,
            "COCOTB_TOPLEVEL": self.edam["toplevel"],
            "COCOTB_RESULTS_FILE": str(results),
            "TOPLEVEL_LANG": "verilog",
            "GPI_USERS": f"{libpython};{cocotb_tools.config.pygpi_entry_point()}",
            "PYGPI_PYTHON_BIN": sys.executable,
            "PYTHONPATH": python_path(*module_folder(self.edam, self.module, self.work_root)),
        }
