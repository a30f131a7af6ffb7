# SPDX-License-Identifier: Apache-2.0
"""Run a test of the whole core: which checkers complained, from its verdict or from what ended the simulation."""

import json
from pathlib import Path

from ga2.decoding.backends import MEMORY_BYTES as DECODING_BYTES
from ga2.seeded.mistake import Failed, Mistake
from ga2.sim.build import Build, build_axi, build_core, build_hostile
from ga2.sim.campaign import MEMORY_BYTES
from ga2.sim.errors import SimulationError
from ga2.sim.fatal import fatal_in
from ga2.sim.run import run

RULES = {  # how a message that ends the simulation begins, and who wrote it
    "AXI:": "axi_rules",
    "ga2_refmem:": "reference_memory",
    "": "assertions",
}
TESTS = {"a_later_token_changes_no_earlier_row": "causality"}


def run_test(mistake: Mistake, sim: str, search: Path | None) -> Failed | None:
    """How the test failed; None if it passed. `search` comes first in Python's path. Raises BuildError, ToolMissing."""
    env = {
        "GA2_CONFIG": mistake.config,
        "GA2_FIRST_SEED": str(mistake.seed),
        "GA2_PROGRAMS": str(mistake.programs),
        "GA2_MEMORY": mistake.memory,
    }
    build = _build(mistake, sim)
    try:
        run(build, mistake.bench, testcase=mistake.test, env=env, search=[search] if search else [])
    except SimulationError as error:
        return _failed(mistake, error)
    return None


def _build(mistake: Mistake, sim: str) -> Build:
    if mistake.memory == "hostile":
        return build_hostile(mistake.config, sim, memory_bytes=MEMORY_BYTES)
    if mistake.memory == "axi":
        return build_axi(mistake.config, sim)
    system = mistake.bench.startswith("verif.system")
    return build_core(mistake.config, sim, memory_bytes=DECODING_BYTES if system else MEMORY_BYTES)


def _failed(mistake: Mistake, error: SimulationError) -> Failed:
    assert error.directory is not None
    verdict, found, reports = error.directory / "verdict.json", dict[str, str](), list[str]()
    if verdict.is_file():
        facts = json.loads(verdict.read_text())
        found = {name: problems[0] for name, problems in facts["checkers"].items() if problems}
        reports = facts["reports"]
    if fatal := fatal_in((error.directory / "test.log").read_text(errors="replace")):
        name = next(checker for start, checker in RULES.items() if fatal.message.startswith(start))
        found.setdefault(name, fatal.message)
    if not found:
        found[TESTS.get(mistake.test, "test")] = str(error).partition("; log:")[0]
    return Failed(mistake.test, found, next(iter(reports), error.report or str(error)))
