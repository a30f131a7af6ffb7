# SPDX-License-Identifier: Apache-2.0
"""What a run of the environment is about: one object, in the ConfigDB as SETTINGS, in place of a bag of entries."""

import os
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pyuvm import ConfigDB, uvm_component

from ga2.spec import Config, load_config
from verif.programs.program import MEMORY_BYTES

GUARD = 0xAA
"""External memory that no program has been given holds this: whoever strays into it is seen."""


class Memory(Enum):
    """What answers the core's data bus; each has a testbench of its own."""

    REFERENCE = "reference"  # SystemVerilog, never waits: cycle claims hold (ga2_tb)
    HOSTILE = "hostile"  # SystemVerilog, with gates and errors (ga2_hostile_tb)
    AXI = "axi"  # cocotbext-axi, in Python (ga2_axi_tb)


@dataclass(frozen=True)
class Settings:
    """What runs, on what, and who watches.

    watch_writes: scratchpad writes, instruction by instruction, from the testbench's event log.
    watch_bus: bursts and write beats on the AXI master. locate: name the place of a mismatch.
    patience: cycles without progress after which the core's watchdog ends a program. limit: cycles that one may take.
    """

    config: Config
    first_seed: int = 0
    programs: int = 1
    memory: Memory = Memory.REFERENCE
    memory_bytes: int = MEMORY_BYTES
    watch_writes: bool = True
    watch_bus: bool = True
    locate: bool = True
    patience: int = 2000
    limit: int = 60_000

    @classmethod
    def from_environment(cls) -> "Settings":
        """$GA2_CONFIG, $GA2_FIRST_SEED and $GA2_PROGRAMS; $GA2_MEMORY, default reference; $GA2_WATCH, default all.

        GA2_WATCH=trace leaves out what costs speed: only retirements, final contents and counters are compared.
        """
        watch = os.environ.get("GA2_WATCH", "all")
        if watch not in ("all", "trace"):
            raise ValueError(f"GA2_WATCH is '{watch}': choose all or trace")
        return cls(
            load_config(os.environ["GA2_CONFIG"]),
            int(os.environ["GA2_FIRST_SEED"]),
            int(os.environ["GA2_PROGRAMS"]),
            Memory(os.environ.get("GA2_MEMORY", Memory.REFERENCE.value)),
            watch_writes=watch == "all",
            watch_bus=watch == "all",
        )

    @property
    def bus_prefix(self) -> str:
        """What the names of the AXI signals begin with in the testbench."""
        return "m_axi_" if self.memory is Memory.AXI else ""

    @property
    def exact_cycles(self) -> bool:
        """Whether the timing model's prediction holds."""
        return self.memory is Memory.REFERENCE


def settings_of(component: uvm_component) -> Settings:
    """The settings of the test that a component belongs to."""
    found: Any = ConfigDB().get(component, "", "SETTINGS")
    return found
