# SPDX-License-Identifier: Apache-2.0
"""The target on a device, the draft on the host: a block is one program, and a guess costs the core nothing."""

from collections.abc import Sequence

from ga2.device.protocol import Device
from ga2.models.host_drafts import HostDraft
from ga2.speculation.chip import ChipPlayer
from ga2.speculation.session import Session


class HostDraftPlayer(ChipPlayer):
    """The chip's target with the guesses of a draft that sees the whole text."""

    def __init__(self, draft: HostDraft, device: Device, session: Session) -> None:
        super().__init__(device, session)
        self.host_draft = draft

    async def propose(self, text: Sequence[int], count: int) -> tuple[int, ...]:
        """The draft's guesses: no program."""
        return self.host_draft.propose(text, count)
