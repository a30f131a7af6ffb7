# SPDX-License-Identifier: Apache-2.0
"""A portion of the stall campaign (`make stalls`), and the same cycles in both simulators."""

import pytest

from ga2.sim import SIMULATORS, build_hostile, run
from ga2.sim.campaign import play
from verif.programs.program import MEMORY_BYTES

SEED = 1
PROGRAMS = {  # numbers: the memory's behaviour is the number modulo eight
    ("verilator", "nano"): range(8),
    ("verilator", "wide"): range(17, 20),
    ("verilator", "small"): range(20, 22),
    ("verilator", "base"): range(22, 24),
    ("icarus", "nano"): (6,),
    ("icarus", "wide"): (4,),
}


@pytest.mark.simulation
@pytest.mark.parametrize(("sim", "config"), PROGRAMS)
def test_stalls(sim: str, config: str) -> None:
    numbers = " ".join(map(str, PROGRAMS[sim, config]))
    env = {"GA2_CONFIG": config, "GA2_SEED": str(SEED), "GA2_CASES": numbers}
    assert run(build_hostile(config, sim, memory_bytes=MEMORY_BYTES), "verif.core.stall_bench", env=env).tests == 1


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano"])
def test_the_same_cycles_in_every_simulator(config: str) -> None:
    """Every counter of a program whose memory and control port both pause."""
    number = 12  # each channel its own pauses, and a host that pauses
    cases = [play("verif.core.stall_bench", config, sim, SEED, [number], lambda _: None) for sim in SIMULATORS]
    measured = [case.measured for (case,) in cases]
    assert measured[0] and all(other == measured[0] for other in measured)
