# SPDX-License-Identifier: Apache-2.0
"""The structured target's rule on a core: decoded plainly and with k = 3 from every start, to a long cache.

Plain decoding needs no host here: the window of the ids is laid over the choices, so that every step's choice is the
next step's id. What was decoded is read from the cache, where each token has left its keys and values.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from capra import interpret
from ga2.device.protocol import Device
from ga2.exactness.chain import ChainPlayer
from ga2.models.shapes import WIDTH
from ga2.models.targets import successor
from ga2.speculation.chip import DecodeError, fault_text
from ga2.speculation.greedy import play
from ga2.speculation.session import Session, load
from ga2.stimulus import build_session

RULE_TOKENS = 256
RULE_K = 3
IDS_WINDOW = 2

Report = Callable[[float], None]  # share that is done


def rule_tokens(start: int, count: int) -> list[int]:
    """`start` and `count` tokens after it by f(t) = (5 t + 3) mod 16."""
    tokens = [start]
    while len(tokens) <= count:
        tokens.append(successor(tokens[-1]))
    return tokens


async def check_rule(
    device: Device, start: int, count: int, report: Report = lambda _: None
) -> tuple[list[str], int]:
    """(what contradicts the rule, programs run)."""
    session, wanted = build_session(device.config), rule_tokens(start, count)
    await load(device, session)
    found = await _plain(device, session, wanted, lambda share: report(share / 2))
    await device.set_windows(session.model.windows)
    player = ChainPlayer(device, session)
    run = await play(
        player,
        k=RULE_K,
        start=start,
        tokens=count,
        progress=lambda done, total: report((1 + done / total) / 2),
    )
    if run.tokens != wanted:
        at = next(i for i, pair in enumerate(zip(run.tokens, wanted, strict=True)) if pair[0] != pair[1])
        found.append(f"k = {RULE_K}: token {at} is {run.tokens[at]}, by the rule {wanted[at]}")
    if run.ledger.accepted != run.ledger.proposed:
        found.append(f"k = {RULE_K}: {run.ledger.accepted} of {run.ledger.proposed} perfect guesses accepted")
    return found, count + player.programs


async def _plain(device: Device, session: Session, wanted: list[int], report: Report) -> list[str]:
    """Steps that feed themselves: their tokens are those whose keys and values the cache holds."""
    target, windows = session.target, list(session.model.windows)
    ids, choice = target.inputs["ids"], target.outputs["choice"]
    offset = choice.address - ids.address
    windows[IDS_WINDOW] = replace(windows[IDS_WINDOW], base=windows[IDS_WINDOW].base + offset)
    await device.set_windows(windows)
    await device.write(choice.address, ids.pack(np.array([[wanted[0]]])))
    for length in range(len(wanted) - 1):
        result = await device.run(target.name, length, 1)
        if result.fault is not None:
            raise DecodeError(fault_text(result.fault, target.name, length, 1))
        report((length + 1) / (len(wanted) - 1))
    last = int(choice.unpack(await device.read(choice.address, choice.pitch))[0, 0])
    found = [] if last == wanted[-1] else [f"plain: the last token is {last}, by the rule {wanted[-1]}"]
    for name, rows in _cached_rows(session, wanted[:-1]).items():
        symbol = target.outputs[name]
        stored = symbol.unpack(await device.read(symbol.address, len(rows) * symbol.pitch))
        wrong = np.flatnonzero((stored != rows).any(axis=1))
        if wrong.size:
            found.append(f"plain: {name} of cache row {wrong[0]} is not that of token {wanted[wrong[0]]}")
    return found


def _cached_rows(session: Session, tokens: list[int]) -> dict[str, NDArray]:
    """Keys and values (n, WIDTH) that the tokens must leave; one layer's depend on the token alone."""
    every, empty = np.arange(session.vocabulary), np.zeros((0, WIDTH), np.int8)
    inputs: dict[str, NDArray] = {"ids": every[:, np.newaxis], "k_cache": empty, "v_cache": empty}
    values = interpret(session.target.graph, session.model.spec, inputs, 0, len(every))
    if len(np.unique(values["k"], axis=0)) < len(every):
        raise ValueError("two tokens of this model have the same keys: the cache does not say which was decoded")
    return {name: values[name].astype(np.int8)[tokens] for name in ("k", "v")}
