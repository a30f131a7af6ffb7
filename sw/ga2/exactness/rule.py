# SPDX-License-Identifier: Apache-2.0
"""The structured target's rule on a core: decoded plainly and with k = 3 from every start, to a long cache."""

from collections.abc import Callable

from ga2.device.protocol import Device
from ga2.exactness.chain import ChainPlayer
from ga2.models.targets import successor
from ga2.speculation.greedy import play
from ga2.speculation.session import load
from ga2.stimulus import build_session

RULE_TOKENS = 256
RULE_K = 3


def rule_tokens(start: int, count: int) -> list[int]:
    """`start` and `count` tokens after it by f(t) = (5 t + 3) mod 16."""
    tokens = [start]
    while len(tokens) <= count:
        tokens.append(successor(tokens[-1]))
    return tokens


async def check_rule(
    device: Device, start: int, count: int, report: Callable[[float], None] = lambda _: None
) -> tuple[list[str], int]:
    """(what contradicts the rule, programs run). `report` gets the share that is done."""
    session = build_session(device.config)
    await load(device, session)
    wanted, found, programs = rule_tokens(start, count), [], 0
    for index, k in enumerate((0, RULE_K)):
        player = ChainPlayer(device, session)
        run = await play(
            player,
            k=k,
            start=start,
            tokens=count,
            progress=lambda done, total, index=index: report((index + done / total) / 2),  # type: ignore[misc]
        )
        programs += player.programs
        if run.tokens != wanted:
            at = next(i for i, pair in enumerate(zip(run.tokens, wanted, strict=True)) if pair[0] != pair[1])
            found.append(f"k = {k}: token {at} is {run.tokens[at]}, by the rule {wanted[at]}")
        if run.ledger.accepted != run.ledger.proposed:
            found.append(f"k = {k}: {run.ledger.accepted} of {run.ledger.proposed} perfect guesses accepted")
    return found, programs
