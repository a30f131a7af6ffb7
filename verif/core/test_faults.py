# SPDX-License-Identifier: Apache-2.0
"""A portion of the fault campaign (`make faults`): in Verilator every scenario and a quarter of the precise kinds.

Icarus is some ten times slower and gets a handful; the campaign runs there too.
"""

from collections.abc import Iterable

import pytest

from ga2.sim import build_hostile, run
from verif.core.fault_case import OTHERS
from verif.core.precise_programs import COUNT
from verif.programs.program import MEMORY_BYTES

SEED = "1"
SCENARIOS = range(len(OTHERS))
PRECISE = range(COUNT)


def _numbers(scenarios: Iterable[int], precise: Iterable[int]) -> list[int]:
    """The cases of these scenarios and precise kinds (`fault_case`)."""
    return [*(2 * scenario + 1 for scenario in scenarios), *(2 * kind for kind in precise)]


CASES = {
    "verilator": {
        "nano": _numbers(SCENARIOS, PRECISE[::4]),
        "wide": _numbers(SCENARIOS[::8], PRECISE[1::30]),
        "small": _numbers(SCENARIOS[3::8], PRECISE[11::30]),
        "base": _numbers(SCENARIOS[6::8], PRECISE[21::30]),
    },
    "icarus": {
        "nano": _numbers((6, 9), (33,)),
        "wide": _numbers((7,), ()),
        "small": _numbers((), (55,)),
        "base": _numbers((), (86,)),
    },
}


@pytest.mark.simulation
@pytest.mark.parametrize("config", ["nano", "wide", "small", "base"])
def test_faults(config: str, sim: str) -> None:
    env = {"GA2_CONFIG": config, "GA2_SEED": SEED, "GA2_CASES": " ".join(map(str, CASES[sim][config]))}
    assert run(build_hostile(config, sim, memory_bytes=MEMORY_BYTES), "verif.core.fault_bench", env=env).tests == 1
