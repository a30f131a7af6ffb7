# SPDX-License-Identifier: Apache-2.0
"""The base of all tests: builds the environment, runs one sequence, and judges in the end."""

import logging
import os

import cocotb
from pyuvm import ConfigDB, uvm_test

from ga2.device.rtl import RtlDevice
from ga2.spec import load_config
from verif.env.environment import Environment
from verif.env.program_sequence import ProgramSequence
from verif.programs.program import MEMORY_BYTES

PROGRAMS = int(os.environ["GA2_PROGRAMS"])
TIMEOUT = {"timeout_time": 200 + 500 * PROGRAMS, "timeout_unit": "us"}  # simulated: 50,000 cycles a seed


class BaseTest(uvm_test):
    """A test names its sequence. $GA2_CONFIG, $GA2_FIRST_SEED and $GA2_PROGRAMS say what runs.

    pyuvm ends a run without objections at once and ignores logged errors: hence the objection here, and the one
    assertion at the very end, after every scoreboard has spoken.
    """

    def build_phase(self) -> None:
        logging.getLogger("cocotb.ga2_tb").setLevel(logging.WARNING)  # not every register access
        self.config = load_config(os.environ["GA2_CONFIG"])
        self.first_seed, self.programs = int(os.environ["GA2_FIRST_SEED"]), PROGRAMS
        for name, value in {
            "DUT": cocotb.top,
            "DEVICE": RtlDevice(cocotb.top, self.config, MEMORY_BYTES),
            "CONFIG": self.config,
            "MEMORY_BYTES": MEMORY_BYTES,
        }.items():
            ConfigDB().set(None, "*", name, value)
        self.environment = Environment("environment", self)

    def sequence(self) -> ProgramSequence:
        """What the test runs."""
        raise NotImplementedError

    async def run_phase(self) -> None:
        self.raise_objection()
        await self.sequence().start(self.environment.csr_agent.sequencer)
        self.drop_objection()

    def problems(self) -> list[str]:
        """What is wrong at the end of the test."""
        return [problem for scoreboard in self.environment.scoreboards for problem in scoreboard.problems()]

    def final_phase(self) -> None:
        for scoreboard in self.environment.scoreboards:
            self.logger.info("%s: %d comparisons", scoreboard.get_name(), scoreboard.compared)
        problems = self.problems()
        assert not problems, "\n".join(problems)
