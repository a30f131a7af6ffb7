# SPDX-License-Identifier: Apache-2.0
"""The structured target's rule on a core: decoded plainly and with k = 3 from every start, to a long cache."""

from collections.abc import Callable

from ga2.device.protocol import Device
from ga2.models.targets import successor
from ga2.speculation.chip import decode
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
    session, found, programs = build_session(device.config), [], 0
    wanted = rule_tokens(start, count)
    for run, k in enumerate((0, RULE_K)):
        decoded = await decode(
            device,
            session,
            k=k,
            start=start,
            tokens=count,
            progress=lambda done, total, run=run: report((run + done / total) / 2),
        )
        programs += decoded.programs
        if decoded.tokens != wanted:
            at = next(i for i, pair in enumerate(zip(decoded.tokens, wanted, strict=True)) if pair[0] != pair[1])
            found.append(f"k = {k}: token {at} is {decoded.tokens[at]}, by the rule {wanted[at]}")
        if decoded.accepted != decoded.proposed:
            found.append(f"k = {k}: {decoded.accepted} of {decoded.proposed} guesses of a perfect draft accepted")
    return found, programs
