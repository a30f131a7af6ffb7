# SPDX-License-Identifier: Apache-2.0
"""Edges of the host loop's rules: the budget and its figures, what a message says, what a price is asked for."""

from fractions import Fraction

import pytest

from ga2.device.protocol import run_sync
from ga2.models.host_drafts import SuffixDraft
from ga2.speculation.adaptive import DISCOUNT, REMEMBERED, SHARE, AdaptiveK
from ga2.speculation.costs import BlockCosts, RoundCosts, SeparateCosts, cycles_of
from ga2.speculation.ledger import Ledger, LedgerError, check_ledger
from ga2.speculation.players import TextPlayer
from ga2.speculation.policy import Ahead
from ga2.stimulus import build_session


class FlatCosts(RoundCosts):
    """A pass of the target takes 100 cycles, and each guess a fixed number; blocks beyond `most` have no price."""

    def __init__(self, guess: int, most: int) -> None:
        self.guess, self.most = guess, most

    def cycles(self, guesses: int, length: int) -> int:
        if guesses > self.most:
            raise ValueError(f"{guesses} guesses do not fit")
        return 100 + guesses * self.guess


def test_the_promise_is_97_percent_and_the_memory_ends_at_one_percent() -> None:
    assert SHARE == Fraction(97, 100)
    assert DISCOUNT**REMEMBERED < 0.01 <= DISCOUNT ** (REMEMBERED - 1)


def test_no_guess_at_all_is_a_policy() -> None:
    assert AdaptiveK(FlatCosts(1, 0), 0).guesses((), Ahead(8, 8)) == 0
    with pytest.raises(ValueError, match="at least 0 guesses"):
        AdaptiveK(FlatCosts(1, 0), -1)


def test_a_guess_that_pays_is_made_when_it_takes_the_whole_budget() -> None:
    costs = FlatCosts(10, 1)  # one guess: 1.6 tokens for 110 cycles instead of 1 for 100
    exactly = Fraction(100, 110)  # of one token's 100 cycles: 10 more
    ahead = Ahead(1, 2, may_end=True)
    assert AdaptiveK(costs, 1, exactly).guesses((), ahead) == 1
    assert AdaptiveK(costs, 1, exactly + Fraction(1, 10**6)).guesses((), ahead) == 0


def test_no_price_is_asked_of_a_block_that_may_not_be() -> None:
    assert AdaptiveK(FlatCosts(10, 2), 4).guesses((), Ahead(2, 20)) <= 2


def test_a_program_of_a_whole_block_is_priced_at_its_rows() -> None:
    session = build_session("nano", blocks=(1, 3))
    costs = BlockCosts(SeparateCosts(session))
    for guesses in (1, 3):
        program = session.block(guesses)
        assert program is not None
        assert costs.cycles(guesses, 7) == cycles_of(session, program, 7, guesses + 1)
        last = session.config.max_len - guesses - 1
        assert costs.cycles(guesses, last) > 0
        with pytest.raises(ValueError):
            costs.cycles(guesses, last + 1)


def test_what_verifies_is_the_target_and_every_block_program() -> None:
    session = build_session("nano", blocks=(1, 3))
    blocks = {program.name for guesses in range(16) if (program := session.block(guesses)) is not None}
    assert len(blocks) == 2 and session.verifiers == {session.target.name} | blocks


BOOKS = Ledger(tokens=(5, 1, 2, 7, 3), cache_length=4, accepted=2, proposed=2, blocks=2)


@pytest.mark.parametrize("end", [1, 2, 7])
def test_nothing_follows_an_end_token_wherever_it_stands(end: int) -> None:
    with pytest.raises(LedgerError, match="no token after the end token"):
        check_ledger(BOOKS, asked=(1, 1), wanted=4, returned=BOOKS.tokens, end=end)


@pytest.mark.parametrize("end", [5, 3, None])
def test_the_start_and_the_last_token_may_be_the_end(end: int | None) -> None:
    check_ledger(BOOKS, asked=(1, 1), wanted=4, returned=BOOKS.tokens, end=end)


@pytest.mark.parametrize(("asked", "says"), [((1, 1), "with k = 1, wanted = 3"), ((2, 0), "with k = 2, 0, wanted = 3")])
def test_broken_books_say_k_once_if_it_was_always_the_same(asked: tuple[int, ...], says: str) -> None:
    with pytest.raises(LedgerError, match=says):
        check_ledger(BOOKS, asked=asked, wanted=3, returned=BOOKS.tokens, end=None)


def test_a_run_without_blocks_discards_nothing() -> None:
    with pytest.raises(LedgerError, match="0 <= discarded <= k of the last block"):
        check_ledger(Ledger(tokens=(5, 1, 2)), asked=(), wanted=2, returned=(5, 1), end=None)


def test_a_text_that_is_too_short_for_a_block_is_told() -> None:
    player = TextPlayer((1, 2, 3, 4), SuffixDraft())
    assert run_sync(player.verify((1, 2), 1)) == [3, 4]
    with pytest.raises(ValueError, match="the text has 4 tokens: a block at 2 looks beyond it"):
        run_sync(player.verify((3, 4), 2))
