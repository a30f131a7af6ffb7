# SPDX-License-Identifier: Apache-2.0
"""The recorded checks of speculation on the simulated core; every program is compared with the golden model as well.

Plusarg: +tokens (20) of each decoding. $GA2_CONFIG names the configuration.
"""

import os
from dataclasses import replace

import cocotb

from ga2.decoding.perform import perform
from ga2.decoding.request import Request
from ga2.exactness.recorded import RULE_GUESSES, RULE_NOISES, check_causality, check_rule, check_verifier
from ga2.spec import load_config
from verif.locate.located_device import LocatedDevice

CONFIG = load_config(os.environ["GA2_CONFIG"])
TOKENS = int(cocotb.plusargs.get("tokens", 20))
EXACT = (  # of the random targets: the draft fitted to each, as it is and hopeless
    Request("random", 1, "table", 0.0, k=1, start=5, tokens=TOKENS),
    Request("random", 2, "matmul", 100.0, k=3, start=5, tokens=TOKENS),
)


@cocotb.test()
async def speculation_gives_the_plain_tokens(dut) -> None:
    """Check 2 on the core: a target's own tokens, whatever guesses."""
    device = await LocatedDevice.started(dut, CONFIG)
    for request in EXACT:
        plain, speculative = await perform(device, [replace(request, k=0), request], lambda *_: None)
        assert plain.golden_match and speculative.golden_match, device.report
        assert speculative.tokens == plain.tokens, request


@cocotb.test()
async def a_later_token_changes_no_earlier_row(dut) -> None:
    """Check 3: logits differ from the changed token's row on, and not before."""
    device = await LocatedDevice.started(dut, CONFIG)
    assert await check_causality(device) == []
    assert device.difference is None, device.report


@cocotb.test()
async def the_verifier_is_its_graph_and_close_to_float(dut) -> None:
    """Check 4: what the graph means in integers, and float within the recorded bounds."""
    device = await LocatedDevice.started(dut, CONFIG)
    assert await check_verifier(device) == []
    assert device.difference is None, device.report


@cocotb.test()
async def the_rule_through_the_loop(dut) -> None:
    """Check 5: the rule's tokens for every k and noise, a perfect draft accepted whole, guesses the table's."""
    device = await LocatedDevice.started(dut, CONFIG)
    for k in RULE_GUESSES:
        for noise in RULE_NOISES:
            assert await check_rule(device, k, noise, TOKENS) == [], (k, noise)
    assert device.difference is None, device.report
