# SPDX-License-Identifier: Apache-2.0
"""An adaptive k over programs that hold a whole block: what they cost is known, and as many are made as fit."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from capra.emit import EmitError
from ga2.decoding import Request, parts
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.spec import load_config
from ga2.speculation.accept import Block
from ga2.speculation.adaptive import AdaptiveK
from ga2.speculation.block_player import BlockPlayer
from ga2.speculation.chip import decode
from ga2.speculation.costs import BlockCosts, SeparateCosts
from ga2.speculation.policy import Ahead, Policy
from ga2.stimulus import build_session

NANO = load_config("nano")
ADAPTIVE = Request(draft="table", noise=4.0, k=7, tokens=24, form="block", adaptive=True)


class InTurn(Policy):
    """0 to 3 guesses in turn."""

    def guesses(self, past: Sequence[Block], ahead: Ahead) -> int:
        return min(len(past) % 4, ahead.room)


def test_what_every_block_costs_is_known() -> None:
    """Blocks of up to two guesses have programs here; larger ones are separate programs."""
    session = build_session(NANO, draft="table", noise=4.0, blocks=(1, 2))
    costs = BlockCosts(SeparateCosts(session))
    device = GoldenDevice(NANO, session.model.end)
    run = run_sync(decode(device, session, k=InTurn(), start=0, tokens=24, player_of=BlockPlayer))
    plain = run_sync(decode(device, session, k=0, start=0, tokens=24))
    assert run.tokens == plain.tokens and len(run.blocks_run) > 4
    length = foretold = 0
    for block in run.blocks_run:
        foretold += costs.cycles(len(block.guesses), length)
        length += block.kept_rows
    assert foretold == run.cycles and costs.plain(24) == plain.cycles


def test_an_adaptive_run_of_blocks_counts_with_their_costs() -> None:
    session = build_session(NANO, draft="table", noise=4.0, blocks=(1, 2))
    policy = parts.policy_of(ADAPTIVE, session)
    assert isinstance(policy, AdaptiveK) and isinstance(policy.costs, BlockCosts)
    assert isinstance(parts.policy_of(replace(ADAPTIVE, form="separate"), session).costs, SeparateCosts)


@pytest.mark.parametrize(
    ("request_", "asked"),
    [
        (ADAPTIVE, [(1, 2, 3, 4, 5, 6, 7), (1, 2, 3)]),
        (replace(ADAPTIVE, adaptive=False, tokens=320), [(1, 2, 3, 4, 5, 6, 7), (5, 6, 7)]),
        (replace(ADAPTIVE, adaptive=False), [(7,)]),
    ],
)
def test_as_many_blocks_are_made_as_fit(
    monkeypatch: pytest.MonkeyPatch, request_: Request, asked: list[tuple[int, ...]]
) -> None:
    seen = []

    def holds_three(_request: Request, _config: object, blocks: tuple[int, ...]) -> str:
        seen.append(blocks)
        if len(blocks) > 3:
            raise EmitError("too many instructions")
        return "a session"

    monkeypatch.setattr(parts, "_with_blocks", holds_three)
    assert parts.session_of(request_, NANO) == "a session" and seen == asked


def test_a_block_that_never_fits_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise EmitError("600 instructions, but nano holds 512")

    monkeypatch.setattr(parts, "_with_blocks", refused)
    with pytest.raises(EmitError, match="600 instructions"):
        parts.session_of(ADAPTIVE, NANO)
