# SPDX-License-Identifier: Apache-2.0
"""The base of all tests: builds the environment, runs one sequence, and judges in the end."""

import json
import logging
import os
from pathlib import Path

import cocotb
from pyuvm import ConfigDB, uvm_sequence, uvm_sequencer, uvm_test

from verif.env.environment import Environment
from verif.env.memory_backend import device_of
from verif.env.settings import Settings

PROGRAMS = int(os.environ["GA2_PROGRAMS"])
TIMEOUT = {"timeout_time": 400 + 1000 * PROGRAMS, "timeout_unit": "us"}  # simulated: 100,000 cycles a seed
VERDICT = Path("verdict.json")


class BaseTest(uvm_test):
    """A test names its sequence; `Settings.from_environment` says what runs.

    pyuvm ends a run without objections at once and ignores logged errors: hence the objection here, and the one
    assertion at the very end, after every scoreboard has spoken. VERDICT keeps what each of them found.
    """

    def build_phase(self) -> None:
        self.settings = Settings.from_environment()
        logging.getLogger(f"cocotb.{cocotb.top._name}").setLevel(logging.WARNING)  # not every register access
        self.config = self.settings.config
        self.first_seed, self.programs = self.settings.first_seed, self.settings.programs
        for name, value in {
            "DUT": cocotb.top,
            "DEVICE": device_of(cocotb.top, self.settings),
            "SETTINGS": self.settings,
            "CONFIG": self.config,
            "MEMORY_BYTES": self.settings.memory_bytes,
        }.items():
            ConfigDB().set(None, "*", name, value)
        self.environment = Environment("environment", self)

    def sequence(self) -> uvm_sequence:
        """What the test runs."""
        raise NotImplementedError

    def sequencer(self) -> uvm_sequencer:
        """On what it runs: the control port, or the virtual sequencer."""
        return self.environment.csr_agent.sequencer

    async def run_phase(self) -> None:
        self.raise_objection()
        await self.sequence().start(self.sequencer())
        self.drop_objection()

    def problems(self) -> list[str]:
        """What is wrong at the end of the test."""
        return [problem for scoreboard in self.environment.scoreboards for problem in scoreboard.problems()]

    def final_phase(self) -> None:
        for scoreboard in self.environment.scoreboards:
            self.logger.info("%s: %d comparisons", scoreboard.get_name(), scoreboard.compared)
        found = {each.get_name(): each.problems() for each in self.environment.scoreboards}
        VERDICT.write_text(json.dumps({"checkers": found, "reports": self.environment.locator.reports}))
        problems = self.problems()
        assert not problems, "\n".join([*problems, *self.environment.locator.reports])
