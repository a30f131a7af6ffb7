# SPDX-License-Identifier: Apache-2.0
"""The main job as tests of its own: decode plainly and speculatively on the core, and judge every program.

Plusargs: +tokens (32), +k (3) guesses a block, +noise (0) of the draft. $GA2_CONFIG names the configuration,
$GA2_MEM_BYTES is the testbench's memory.
"""

import os
from dataclasses import replace

import cocotb

from ga2.decoding.backends import on_golden
from ga2.decoding.perform import perform
from ga2.decoding.request import Outcome, Request
from ga2.spec import load_config
from verif.locate.located_device import LocatedDevice

CONFIG = load_config(os.environ["GA2_CONFIG"])
MEMORY_BYTES = int(os.environ["GA2_MEM_BYTES"])
SPECULATIVE = Request(
    k=int(cocotb.plusargs.get("k", 3)),
    noise=float(cocotb.plusargs.get("noise", 0)),
    tokens=int(cocotb.plusargs.get("tokens", 32)),
)
PLAIN = replace(SPECULATIVE, k=0)


async def decoded(dut, request: Request) -> tuple[Outcome, Outcome]:
    """The outcome on the core, and on the golden model alone; the same in every byte and counter."""
    request.check(CONFIG)
    device = await LocatedDevice.started(dut, CONFIG, MEMORY_BYTES)
    (seen,) = await perform(device, [request], lambda *_: None)
    (golden,) = on_golden(CONFIG.name, [request], lambda *_: None)
    assert seen.golden_match, device.report or seen.difference
    assert (seen.tokens, seen.programs, seen.counters) == (golden.tokens, golden.programs, golden.counters)
    cocotb.log.info(
        "%d tokens, k = %d: %d cycles, %d of %d guesses accepted in %d blocks",
        request.tokens, request.k, seen.cycles, seen.accepted, seen.proposed, seen.blocks,
    )  # fmt: skip
    return seen, golden


@cocotb.test()
async def plain_decoding_equals_the_golden_model(dut) -> None:
    """One token a program."""
    seen, _ = await decoded(dut, PLAIN)
    assert (seen.programs, len(seen.tokens)) == (PLAIN.tokens, PLAIN.tokens + 1)


@cocotb.test()
async def speculative_decoding_gives_the_plain_tokens(dut) -> None:
    """k guesses a block: the golden model's every byte, and the tokens of plain decoding."""
    seen, _ = await decoded(dut, SPECULATIVE)
    (plain,) = on_golden(CONFIG.name, [PLAIN], lambda *_: None)
    assert seen.tokens == plain.tokens
    assert seen.blocks < PLAIN.tokens or SPECULATIVE.k == 0 or seen.accepted == 0
