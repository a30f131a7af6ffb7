# SPDX-License-Identifier: Apache-2.0
"""Simulations: cached builds, runs judged by their results file, `bench` as the one call of a unit bench."""

from ga2.sim.bench import bench, run_unit
from ga2.sim.build import Build, build, build_axi, build_core, build_hostile
from ga2.sim.errors import BuildError, SimulationError, ToolMissing
from ga2.sim.run import run
from ga2.sim.tools import SIMULATORS

__all__ = [
    "SIMULATORS",
    "Build",
    "BuildError",
    "SimulationError",
    "ToolMissing",
    "bench",
    "build",
    "build_axi",
    "build_core",
    "build_hostile",
    "run",
    "run_unit",
]
