# SPDX-License-Identifier: Apache-2.0
"""The main job: decode plainly and speculatively on the RTL, every program compared with the golden model."""

from dataclasses import replace

import pytest

from ga2.decoding import Outcome, Request
from ga2.decoding.backends import on_golden, on_rtl
from ga2.spec import CONFIG_NAMES

PLAIN_CYCLES, SPECULATIVE_CYCLES = 33_000, 12_500  # of 32 tokens on nano, k = 3 and a perfect draft: promised
SHORT = {"icarus": 4, "verilator": 16}  # tokens: Icarus is some twenty times slower


def decode_pair(config: str, sim: str, request: Request) -> tuple[Outcome, Outcome]:
    """Plain and speculative, equal to golden in every byte and counter, and to each other in their tokens."""
    pair = [replace(request, k=0), request]
    seen = on_rtl(config, sim, pair, lambda *_: None)
    expected = on_golden(config, pair, lambda *_: None)
    for outcome, golden in zip(seen, expected, strict=True):
        assert outcome.golden_match, outcome.difference
        assert (outcome.tokens, outcome.programs, outcome.counters) == (golden.tokens, golden.programs, golden.counters)
    plain, speculative = seen
    assert plain.tokens == speculative.tokens
    assert speculative.wall > speculative.cycles
    return plain, speculative


def test_thirty_two_tokens(sim: str) -> None:
    plain, speculative = decode_pair("nano", sim, Request())
    assert (speculative.accepted, speculative.proposed, speculative.blocks) == (24, 24, 8)
    assert (plain.programs, speculative.programs) == (32, 32)
    assert plain.tokens[:5] == [0, 3, 2, 13, 4]
    assert plain.cycles <= PLAIN_CYCLES and speculative.cycles <= SPECULATIVE_CYCLES


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_every_configuration(config: str, sim: str) -> None:
    decode_pair(config, sim, Request(target="random", draft="table", k=2, tokens=SHORT[sim]))


@pytest.mark.parametrize("request_", [Request(noise=4.0, k=3), Request(target="sharp", target_seed=107, k=5, start=7)])
def test_rejections_roll_back(request_: Request, sim: str) -> None:
    _, speculative = decode_pair("nano", sim, replace(request_, tokens=SHORT[sim]))
    assert speculative.accepted < speculative.proposed


@pytest.mark.parametrize("draft", ["matmul", "table"])
@pytest.mark.parametrize("config", ["nano", "wide"])
def test_a_program_a_block(config: str, draft: str, sim: str) -> None:
    """Guesses and verifier in one program, right and wrong ones: as golden, and the blocks of separate programs."""
    request = Request(draft=draft, noise=4.0, tokens=SHORT[sim], form="block")
    _, speculative = decode_pair(config, sim, request)
    (separate,) = on_golden(config, [replace(request, form="separate")], lambda *_: None)
    assert speculative.programs == speculative.blocks == separate.blocks
    assert (speculative.accepted, speculative.proposed) == (separate.accepted, separate.proposed)
    assert 0 < speculative.accepted < speculative.proposed
