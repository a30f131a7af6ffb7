# SPDX-License-Identifier: Apache-2.0
"""One verified block: the target's pass over the last committed token and k guesses, on the core.

Plusargs: +k (3) guesses, +cache (12) tokens before the block. $GA2_CONFIG names the configuration, $GA2_MEM_BYTES is
the testbench's memory.
"""

import os

import cocotb

from ga2.decoding.request import VOCABULARY
from ga2.models.targets import successor
from ga2.spec import load_config
from ga2.speculation.accept import Block
from ga2.stimulus import build_session, prefill_steps, run_steps
from verif.locate.located_device import LocatedDevice

CONFIG = load_config(os.environ["GA2_CONFIG"])
MEMORY_BYTES = int(os.environ["GA2_MEM_BYTES"])
K = int(cocotb.plusargs.get("k", 3))
CACHE = int(cocotb.plusargs.get("cache", 12))


def sequence(count: int) -> list[int]:
    """The first tokens of the rule that the structured target has learnt."""
    tokens = [0]
    while len(tokens) < count:
        tokens.append(successor(tokens[-1]))
    return tokens


@cocotb.test()
async def a_block_commits_its_right_guesses(dut) -> None:
    """Right guesses only, then one wrong guess at every place: accepted up to it, every program as the golden model."""
    assert 1 <= K < CONFIG.m_max, f"k must be from 1 to {CONFIG.m_max - 1}, not {K}"
    assert 0 <= CACHE <= CONFIG.max_len - K - 1, f"cache must be from 0 to {CONFIG.max_len - K - 1}, not {CACHE}"
    device = await LocatedDevice.started(dut, CONFIG, MEMORY_BYTES)
    session = build_session(CONFIG)
    tokens = sequence(CACHE + K + 2)
    last, *right, after = tokens[CACHE:]
    player = await run_steps(device, session, prefill_steps(session, tokens[:CACHE]))
    for wrong in range(K, -1, -1):
        guesses = [*right]
        if wrong < K:
            guesses[wrong] = (guesses[wrong] + 1) % VOCABULARY
        block = Block(last, tuple(guesses), tuple(await player.verify((last, *guesses), CACHE)))
        assert block.accepted == wrong, f"wrong guess {wrong}: {block}"
        assert block.emitted == (*right, after)[: wrong + 1]
        cycles = player.runs[-1].result.counters["total"]
        cocotb.log.info("%d of %d guesses accepted, %d cycles", block.accepted, K, cycles)
    assert device.difference is None, device.report
