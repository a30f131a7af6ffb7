# SPDX-License-Identifier: Apache-2.0
"""Around the host loop, at the ends of what is possible: books that nobody kept, no counters, wrong names."""

from dataclasses import replace

import pytest

from ga2.device.protocol import run_sync
from ga2.spec import COUNTERS
from ga2.speculation.chip import decode
from ga2.speculation.graph_device import GraphDevice
from ga2.speculation.greedy import play
from ga2.speculation.ledger import LedgerError
from ga2.speculation.players import RulePlayer
from ga2.speculation.session import load
from ga2.stimulus import build_session


def test_a_decoding_without_counters_has_no_cycles() -> None:
    session = build_session("nano")
    run = run_sync(decode(GraphDevice(session.model), session, k=1, start=0, tokens=2))
    assert [each.m for each in run.programs_run] == [len(each.ids) for each in run.programs_run] == [1, 2]
    assert run.cycles == 0 and set(run.counters.values()) == {0}
    assert replace(run, counters={}).cycles == 0


def test_a_device_of_graphs_runs_programs_by_name_and_by_place_and_counts_nothing() -> None:
    session = build_session("nano")
    device = GraphDevice(session.model)
    run_sync(load(device, session))
    for entry in (session.draft.name, session.draft.entry):
        assert run_sync(device.run(entry, 0, 1)).counters == {counter.name: 0 for counter in COUNTERS}
    for entry in ("nothing", 999):
        with pytest.raises(KeyError, match=rf"no program {entry!r}: it has target, draft_matmul"):
            run_sync(device.run(entry, 0, 1))


class EagerPlayer(RulePlayer):
    """Proposes one token more than it is asked for."""

    async def propose(self, text, count):
        return await super().propose(text, count + 1)


def test_the_loop_looks_at_its_books() -> None:
    rule = [(token + 1) % 16 for token in range(16)]
    with pytest.raises(LedgerError, match="proposed = sum of each block's k"):
        run_sync(play(EagerPlayer(rule, rule), k=2, start=0, tokens=9))
