# SPDX-License-Identifier: Apache-2.0
"""The compiled model that a request asks for."""

from ga2.decoding.request import Request
from ga2.models.drafts import DRAFT_FORMS
from ga2.spec import Config
from ga2.speculation.session import Session
from ga2.stimulus import build_session


def session_of(config: Config, request: Request) -> Session:
    """The session of a request. The chip's drafts come with every model, also where the host guesses."""
    return build_session(
        config,
        target=request.target,
        target_seed=request.target_seed,
        draft=DRAFT_FORMS[0] if request.guesses_on_host else request.draft,
        noise=request.noise,
        draft_seed=request.draft_seed,
    )
