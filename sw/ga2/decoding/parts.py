# SPDX-License-Identifier: Apache-2.0
"""The parts that a request names: who guesses, and who chooses k."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from ga2.decoding.request import Request
from ga2.device.protocol import Device
from ga2.models.draft_file import read_draft
from ga2.models.drafts import DRAFT_FORMS
from ga2.models.host_drafts import HostDraft, make_host_draft
from ga2.models.shapes import VOCABULARY
from ga2.models.targets import make_target
from ga2.speculation.adaptive import AdaptiveK
from ga2.speculation.chip import ChipPlayer
from ga2.speculation.costs import SeparateCosts
from ga2.speculation.host_draft import HostDraftPlayer
from ga2.speculation.policy import Policy
from ga2.speculation.session import Session


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
    return ChipPlayer if draft is None else partial(HostDraftPlayer, draft)


def policy_of(request: Request, session: Session) -> int | Policy:
    """k of every block, or the policy that chooses it from what the programs cost."""
    if not request.adaptive:
        return request.k
    return AdaptiveK(SeparateCosts(session, on_host=request.guesses_on_host), most=request.k)
