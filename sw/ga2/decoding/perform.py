# SPDX-License-Identifier: Apache-2.0
"""Carry out requests on a device, whichever it is."""

from collections.abc import Callable, Sequence
from functools import partial

from ga2.decoding.parts import player_of, policy_of, session_of
from ga2.decoding.request import Outcome, Request
from ga2.device.checked import CheckedDevice
from ga2.device.protocol import Device
from ga2.speculation.chip import decode

Progress = Callable[[int, int, int], None]  # (index of the request, tokens emitted, tokens wanted)


async def perform(device: Device, requests: Sequence[Request], progress: Progress) -> list[Outcome]:
    """The outcomes of `requests`, one after another on the same device without a reset between them."""
    outcomes = []
    for index, request in enumerate(requests):
        session = session_of(request, device.config)
        if isinstance(device, CheckedDevice):
            device.forget_differences()
        decoded = await decode(
            device,
            session,
            k=policy_of(request, session),
            start=request.start,
            tokens=request.tokens,
            end=request.end,
            player_of=player_of(request),
            progress=partial(progress, index),
        )
        difference = device.difference if isinstance(device, CheckedDevice) else None
        outcomes.append(
            Outcome(
                tokens=[int(token) for token in decoded.tokens],
                accepted=decoded.accepted,
                proposed=decoded.proposed,
                blocks=decoded.blocks,
                guesses=[len(block.guesses) for block in decoded.blocks_run],
                discarded=decoded.discarded,
                programs=decoded.programs,
                cycles=decoded.cycles,
                counters=dict(decoded.counters),
                wall=decoded.wall,
                golden_match=difference is None if isinstance(device, CheckedDevice) else None,
                difference=None if difference is None else str(difference),
            )
        )
    return outcomes
