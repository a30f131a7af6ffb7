# SPDX-License-Identifier: Apache-2.0
"""Around the host loop, at the ends of what is possible: books just out of bounds, no counters, wrong names."""

from dataclasses import replace

import pytest

from ga2.device.protocol import run_sync
from ga2.spec import COUNTERS
from ga2.speculation.chip import decode
from ga2.speculation.graph_device import GraphDevice
from ga2.speculation.greedy import play
from ga2.speculation.ledger import Ledger, LedgerError, check_ledger
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
    with pytest.raises(LedgerError, match="proposed = k blocks"):
        run_sync(play(EagerPlayer(rule, rule), k=2, start=0, tokens=9))


def test_a_run_emits_at_most_k_and_one_tokens_a_block() -> None:
    books = Ledger(tokens=tuple(range(8)), cache_length=7, accepted=5, proposed=4, blocks=2)
    with pytest.raises(LedgerError, match=r"wanted <= emitted <= blocks \(k \+ 1\)"):
        check_ledger(books, k=2, wanted=5)


def test_a_clipped_block_has_fewer_guesses() -> None:
    books = Ledger(tokens=(0, 3, 2, 13, 4, 7, 6), cache_length=6, accepted=4, proposed=4, blocks=2)
    check_ledger(books, k=2, wanted=5)
    check_ledger(books, k=3, wanted=5, clipped=True)
    with pytest.raises(LedgerError, match="proposed = k blocks"):
        check_ledger(books, k=2, wanted=5, clipped=True)
