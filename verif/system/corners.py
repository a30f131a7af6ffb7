# SPDX-License-Identifier: Apache-2.0
"""Corner cases of the host loop on any device: what is asked, and block by block what must come of it.

The structured target's text is known, and the draft is right at every position of it but those named `wrong`, where it
guesses the token after the right one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ga2.device.protocol import Device
from ga2.models.host_drafts import HostDraft
from ga2.models.targets import successor
from ga2.speculation.adaptive import AdaptiveK
from ga2.speculation.chip import decode
from ga2.speculation.costs import SeparateCosts
from ga2.speculation.host_draft import HostDraftPlayer
from ga2.speculation.policy import FixedK, Policy
from ga2.speculation.session import Session

AUTO = None


@dataclass(frozen=True)
class Corner:
    """A run from token 0 and its outcome: k and accepted guesses of every block, tokens returned and discarded.

    k is AUTO for an adaptive one. first: cache rows that other text occupies before the run.
    """

    name: str
    k: int | None
    tokens: int
    guesses: tuple[int, ...]
    accepted: tuple[int, ...]
    returned: int
    discarded: int
    wrong: frozenset[int] = frozenset()
    end: int | None = None
    first: int = 0


CORNERS = (
    Corner("an end token inside an accepted block", 3, 12, (3,), (3,), 2, 2, end=2),
    Corner("an end token that comes free", 3, 12, (3,), (3,), 4, 0, end=4),
    Corner("an end token that is only guessed, and then beyond the wanted", 2, 3, (2, 2), (0, 2), 3, 1,
           wrong=frozenset({1}), end=4),
    Corner("fewer tokens wanted than a block gives", 3, 2, (3,), (3,), 2, 2),
    Corner("fewer tokens wanted than a block could give, k adapts", AUTO, 2, (1,), (1,), 2, 0),
    Corner("a cache that is nearly full", 3, 6, (3, 1), (3, 1), 6, 0, first=314),
    Corner("a cache that is nearly full, k adapts", AUTO, 2, (1,), (1,), 2, 0, first=318),
    Corner("a rejection at every position", 3, 10, (3, 3, 3, 3), (0, 1, 2, 3), 10, 0, wrong=frozenset({1, 3, 6})),
    Corner("rejections in consecutive blocks", 2, 3, (2, 2, 2), (0, 0, 0), 3, 0, wrong=frozenset({1, 2, 3})),
    Corner("no guesses at all", 0, 2, (0, 0), (0, 0), 2, 0),
)  # fmt: skip


def rule(count: int) -> list[int]:
    """Token 0 and `count` tokens after it."""
    text = [0]
    while len(text) <= count:
        text.append(successor(text[-1]))
    return text


class PositionDraft(HostDraft):
    """Wrong at the positions named, right elsewhere."""

    def __init__(self, wrong: frozenset[int]) -> None:
        self.wrong = wrong

    def next_token(self, text: Sequence[int]) -> int:
        """The text's own token, or the one after it."""
        at = len(text)
        return (rule(at)[at] + (at in self.wrong)) % 16


class LatePlayer(HostDraftPlayer):
    """Begins on a cache of `first` rows."""

    def __init__(self, first: int, draft: HostDraft, device: Device, session: Session) -> None:
        super().__init__(draft, device, session)
        self.first = first
        self.capacity -= first

    async def verify(self, tokens: Sequence[int], cache_length: int) -> list[int]:
        """The target behind the rows that were there before."""
        return await super().verify(tokens, self.first + cache_length)


async def check_corner(device: Device, session: Session, corner: Corner) -> None:
    """Play a corner case on a device; AssertionError if anything is not as it says."""
    policy: Policy = AdaptiveK(SeparateCosts(session, on_host=True), 7) if corner.k is AUTO else FixedK(corner.k)
    seen = await decode(
        device,
        session,
        k=policy,
        start=0,
        tokens=corner.tokens,
        end=corner.end,
        player_of=lambda device, session: LatePlayer(corner.first, PositionDraft(corner.wrong), device, session),
    )
    assert tuple(len(block.guesses) for block in seen.blocks_run) == corner.guesses, corner.name
    assert tuple(block.accepted for block in seen.blocks_run) == corner.accepted, corner.name
    assert seen.tokens == rule(corner.returned), corner.name
    assert (seen.discarded, seen.emitted) == (corner.discarded, corner.returned + corner.discarded), corner.name
    assert seen.programs == seen.blocks == len(corner.guesses), corner.name
    lengths = [corner.first + sum(block.kept_rows for block in seen.blocks_run[:at]) for at in range(seen.blocks)]
    assert [run.length for run in seen.programs_run] == lengths, corner.name
