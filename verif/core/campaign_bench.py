# SPDX-License-Identifier: Apache-2.0
"""Plays numbered cases in one simulation; what `ga2.sim.campaign` starts.

$GA2_CONFIG, $GA2_SEED and $GA2_CASES (numbers, separated by blanks) say what runs; $GA2_REPORT, if set, names a file
that gets a JSON line as each case begins and one when it has passed or failed. The first failure ends the simulation.
"""

import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from cocotb.triggers import with_timeout

from ga2.device.rtl import CLOCK_NS
from ga2.spec import load_config
from verif.core.player import Player

CASE_CYCLES = 3_000_000  # a case that takes longer hangs
Play = Callable[[Player, int, int], Awaitable[dict[str, Any] | None]]


def _report(**fields: Any) -> None:
    if path := os.environ.get("GA2_REPORT"):
        with Path(path).open("a") as lines:
            print(json.dumps(fields), file=lines)


async def play_all(dut: Any, name_of: Callable[[int], str], play: Play) -> None:
    """Play the cases that the environment names; AssertionError with the case's number and name for the first bad one.

    What a case returns is added to its line of the report.
    """
    config, seed = load_config(os.environ["GA2_CONFIG"]), int(os.environ["GA2_SEED"])
    player = Player(dut, config)
    await player.start()
    numbers = [int(number) for number in os.environ["GA2_CASES"].split()]
    assert numbers, "no case to play"
    for number in numbers:
        title = name_of(number)
        dut._log.info("case %d (seed %d): %s", number, seed, title)
        _report(case=number, name=title)
        try:
            extra = await with_timeout(_as_coroutine(play(player, seed, number)), CASE_CYCLES * CLOCK_NS, "ns")
        except Exception as error:
            _report(case=number, name=title, problem=f"{error or type(error).__name__}")
            player.coverage.save()
            raise AssertionError(f"case {number} ({title}), seed {seed}: {error or type(error).__name__}") from error
        _report(case=number, name=title, passed=True, **(extra or {}))
    player.coverage.save()


async def _as_coroutine(awaitable: Awaitable[dict[str, Any] | None]) -> dict[str, Any] | None:
    return await awaitable
