# SPDX-License-Identifier: Apache-2.0
"""The corner cases of the host loop on the golden device; `verif/system/test_corners.py` plays them on the RTL."""

import pytest

from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.speculation.chip import decode
from ga2.stimulus import build_session
from verif.system.corners import CORNERS, LatePlayer, PositionDraft, check_corner


@pytest.mark.parametrize("corner", CORNERS, ids=lambda corner: corner.name)
def test_a_corner(corner):
    session = build_session("nano")
    run_sync(check_corner(GoldenDevice(session.config, session.model.end), session, corner))


def test_a_full_cache_is_refused():
    session = build_session("nano")
    device = GoldenDevice(session.config, session.model.end)
    with pytest.raises(ValueError, match="the cache is full: 2 of 2 rows"):
        run_sync(decode(device, session, k=3, start=0, tokens=3,
                        player_of=lambda device, session: LatePlayer(318, PositionDraft(frozenset()), device, session)))


@pytest.mark.parametrize(("change", "message"), [({"end": 16}, "end token 16: expected 0 to 15"),
                                                 ({"end": -1}, "end token -1"), ({"start": 16}, "start token 16")])
def test_tokens_outside_the_vocabulary_are_refused(change, message):
    session = build_session("nano")
    device = GoldenDevice(session.config, session.model.end)
    with pytest.raises(ValueError, match=message):
        run_sync(decode(device, session, **({"k": 3, "start": 0, "tokens": 3} | change)))
