# SPDX-License-Identifier: Apache-2.0
"""A portion of the fault campaign (`make faults`): in Verilator every scenario and a third of the precise kinds.

Icarus is some ten times slower and gets a handful; the campaign runs there too.
"""

from collections.abc import Iterable

import pytest

from ga2.sim import build_hostile, run
from verif.core.random_programs import MEMORY_BYTES

SEED = "1"


def _numbers(scenarios: Iterable[int], precise: Iterable[int]) -> list[int]:
    """The cases of these scenarios and precise kinds (`fault_case`)."""
    return [*(2 * scenario + 1 for scenario in scenarios), *(2 * kind for kind in precise)]


CASES = {
    "verilator": {
        "nano": _numbers(range(25), range(0, 87, 3)),
        "wide": _numbers(range(0, 25, 8), range(1, 87, 18)),
        "small": _numbers(range(3, 25, 8), range(7, 87, 18)),
        "base": _numbers(range(6, 25, 8), range(13, 87, 18)),
    },
    "icarus": {
        "nano": _numbers((1, 6, 9, 14), (4, 33)),
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
