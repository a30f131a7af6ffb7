# SPDX-License-Identifier: Apache-2.0
"""The parts that a request names: its model, who guesses, and who chooses k."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from capra.allocate import AllocationError
from capra.emit import EmitError
from ga2.decoding.request import Request
from ga2.device.protocol import Device
from ga2.models.draft_file import read_draft
from ga2.models.drafts import DRAFT_FORMS
from ga2.models.host_drafts import HostDraft, make_host_draft
from ga2.models.shapes import VOCABULARY
from ga2.models.targets import make_target
from ga2.spec import Config
from ga2.speculation.adaptive import AdaptiveK
from ga2.speculation.block_player import FORMS
from ga2.speculation.chip import ChipPlayer
from ga2.speculation.costs import BlockCosts, SeparateCosts
from ga2.speculation.host_draft import HostDraftPlayer
from ga2.speculation.policy import Policy
from ga2.speculation.session import Session
from ga2.stimulus import build_session


def session_of(request: Request, config: Config) -> Session:
    """The compiled model. The programs of a draft on the chip come with it, also where the host guesses.

    Where not all of a run's block programs fit, it gets half as many: the smallest if k adapts, else the largest.
    StimulusError, or the compiler's error, if there cannot be one.
    """
    blocks = request.blocks(config)
    while True:
        try:
            return _with_blocks(request, config, blocks)
        except (AllocationError, EmitError):
            half = len(blocks) // 2
            if not half:
                raise
            blocks = blocks[:half] if request.adaptive else blocks[-half:]


def _with_blocks(request: Request, config: Config, blocks: tuple[int, ...]) -> Session:
    return build_session(
        config,
        target=request.target,
        target_seed=request.target_seed,
        draft=request.draft if request.draft in DRAFT_FORMS else DRAFT_FORMS[0],
        noise=request.noise,
        draft_seed=request.draft_seed,
        blocks=blocks,
    )


def host_draft_of(request: Request) -> HostDraft | None:
    """The draft on the host; None if it is a program of the chip. ValueError for a draft file that does not fit."""
    if request.draft in DRAFT_FORMS:
        return None
    if request.draft_file is not None:
        return read_draft(Path(request.draft_file), VOCABULARY)
    return make_host_draft(request.draft, request.target, make_target(request.target, request.target_seed))


def player_of(request: Request) -> Callable[[Device, Session], ChipPlayer]:
    """Who plays a run on a device."""
    draft = host_draft_of(request)
    return FORMS[request.form] if draft is None else partial(HostDraftPlayer, draft)


def policy_of(request: Request, session: Session) -> int | Policy:
    """k of every block, or the policy that chooses it from what the programs cost."""
    if not request.adaptive:
        return request.k
    separate = SeparateCosts(session, on_host=request.guesses_on_host)
    return AdaptiveK(BlockCosts(separate) if request.form == "block" else separate, most=request.k)
