# SPDX-License-Identifier: Apache-2.0
"""A trace on the golden model, or on the RTL in one simulator process, every program compared with the golden model."""

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from ga2.decoding.backends import MEMORY_BYTES
from ga2.decoding.jobs import carry_out
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.models.drafts import make_table
from ga2.models.targets import make_target
from ga2.spec import load_config
from ga2.speculation.greedy import play
from ga2.speculation.players import FloatPlayer
from ga2.tracing.perform import Report, Wanted, block_facts, perform

GOLDEN = "golden"
JOB_MODULE = "verif.system.trace_job"


def trace(config: str, sim: str, wanted: Wanted, report: Report) -> dict[str, Any]:
    """The trace on `golden` or in a simulator, with the same blocks in float. Raises what `carry_out` raises."""
    if sim == GOLDEN:
        device = GoldenDevice(load_config(config), MEMORY_BYTES)
        found = run_sync(perform(device, device, wanted, report))
    else:
        description = {"config": config, "wanted": asdict(wanted)}
        (found,) = carry_out(config, sim, JOB_MODULE, description, report)
    return found | {"on": sim, "float": in_float(wanted)}


@lru_cache
def documented() -> dict[str, Any]:
    """The trace of the manual: the recorded one, on the golden model of `nano`."""
    return trace("nano", GOLDEN, Wanted(), lambda _: None)


def in_float(wanted: Wanted) -> list[dict[str, Any]]:
    """The same blocks of the float reference."""
    weights = make_target(wanted.target, wanted.target_seed)
    player = FloatPlayer(weights, make_table(wanted.target, weights, 0.0, 1))
    run = run_sync(play(player, k=wanted.k, start=wanted.start, tokens=wanted.tokens))
    return [block_facts(block) for block in run.blocks[: wanted.blocks]]
