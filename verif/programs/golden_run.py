# SPDX-License-Identifier: Apache-2.0
"""A program on the golden model alone, on a core and a memory of its own."""

from dataclasses import dataclass

from ga2.golden.interpreter import Core, Outcome
from ga2.golden.memory import Memory
from ga2.spec import Config
from verif.programs.program import ENTRY, IMAGE_ADDRESS, MEMORY_BYTES, Program


@dataclass(frozen=True)
class GoldenRun:
    """How it ended, and the core and memory as it left them."""

    outcome: Outcome
    core: Core
    memory: Memory


def run_golden(config: Config, program: Program) -> GoldenRun:
    """Run it from undefined scratchpad and zeroed memory."""
    core, memory, image = Core(config), Memory(MEMORY_BYTES), program.image
    for address, data in [*program.memory.items(), (IMAGE_ADDRESS, image.memory_bytes())]:
        memory.write(address, data)
    core.load_image(memory, IMAGE_ADDRESS, len(image.instructions), len(image.constants))
    outcome = core.run(memory, program.windows, image.entries[ENTRY], program.length, program.m)
    return GoldenRun(outcome, core, memory)
