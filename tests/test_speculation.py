# SPDX-License-Identifier: Apache-2.0
"""The host loop: accept rule, books, chain, cache; exactness and accounting for every draft.

Output tokens alone cannot see a dropped free token or a broken draft chain: the target repairs both. So these tests
look at the books, and at drafts whose every guess is known.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ga2.device.protocol import run_sync
from ga2.models.targets import successor
from ga2.speculation.accept import Block, agreeing_prefix
from ga2.speculation.greedy import play
from ga2.speculation.ledger import (
    Ledger,
    LedgerError,
    agreement,
    check_ledger,
    guess_room,
    recompute_counts,
    returned_tokens,
)
from ga2.speculation.players import Player, RulePlayer, chained
from ga2.speculation.policy import Policy

TOKENS = st.integers(0, 15)
MAPS = st.lists(TOKENS, min_size=16, max_size=16)
RULE = [successor(token) for token in range(16)]


class ScriptedPlayer(Player):
    """A context-dependent target: the choice is a hash of every token that the row may see.

    It keeps its own cache of token ids, exactly `cache_length` of them before a block, so one row too many or too few
    changes what it says. `blocks` records what it was shown.
    """

    def __init__(self, draft, modulus=16, capacity=1 << 16):
        self.draft, self.modulus, self.capacity = draft, modulus, capacity
        self.cache, self.blocks = [], []

    def choice(self, context):
        value = 7
        for token in context:
            value = (value * 31 + token + 1) % 10007
        return value % self.modulus

    async def guess(self, token):
        return self.draft[token]

    async def propose(self, text, count):
        return await chained(self.guess, text[-1], count)

    async def verify(self, tokens, cache_length):
        assert cache_length <= len(self.cache)
        kept = self.cache[:cache_length]
        self.blocks.append((tuple(tokens), cache_length))
        self.cache = kept + list(tokens)
        return [self.choice(self.cache[: cache_length + row + 1]) for row in range(len(tokens))]

    def plain(self, start, count):
        tokens = [start]
        for _ in range(count):
            tokens.append(self.choice(tokens))
        return tokens


def test_worked_example():
    block = Block(4, (7, 2, 5), (7, 2, 9, 4))
    assert block.rows == (4, 7, 2, 5)
    assert (block.accepted, block.emitted, block.kept_rows) == (2, (7, 2, 9), 3)


@pytest.mark.parametrize(
    ("guesses", "choices", "accepted"),
    [
        ((), (3,), 0),
        ((1,), (1, 2), 1),
        ((1,), (2, 1), 0),
        ((1, 2, 3), (1, 2, 3, 4), 3),
        ((1, 2, 3), (9, 2, 3, 4), 0),
        ((1, 2, 3), (1, 9, 3, 4), 1),
        ((5, 5), (5, 6, 5), 1),
    ],
)
def test_agreeing_prefix(guesses, choices, accepted):
    assert agreeing_prefix(guesses, choices) == accepted
    assert agreement(guesses, choices) == accepted


@given(st.lists(TOKENS, max_size=6), st.data())
def test_a_block_emits_what_the_target_says(guesses, data):
    choices = data.draw(st.lists(TOKENS, min_size=len(guesses) + 1, max_size=len(guesses) + 1))
    block = Block(0, tuple(guesses), tuple(choices))
    assert block.emitted == tuple(choices[: block.accepted + 1])
    assert block.kept_rows == len(block.emitted)
    assert all(guess == choice for guess, choice in zip(guesses[: block.accepted], choices, strict=False))
    assert block.accepted == len(guesses) or guesses[block.accepted] != choices[block.accepted]


def test_a_block_needs_one_choice_a_row():
    with pytest.raises(ValueError, match="one choice more"):
        Block(0, (1, 2), (1, 2))


def test_guesses_are_chained():
    assert run_sync(RulePlayer(RULE, RULE).propose((5, 0), 4)) == (3, 2, 13, 4)


def test_ledger_refuses_a_block_of_another_sequence():
    with pytest.raises(LedgerError, match="starts with 5, but 3 was committed"):
        Ledger(tokens=(3,)).after(Block(5, (), (1,)))


GOOD = {"tokens": (0, 3, 2, 13, 4, 7, 6), "cache_length": 6, "accepted": 4, "proposed": 4, "blocks": 2}
ASKED = {"asked": [2, 2], "wanted": 5, "returned": [0, 3, 2, 13, 4, 7]}


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"accepted": 3}, "emitted = accepted"),
        ({"proposed": 5}, "proposed = sum of each block's k"),
        ({"cache_length": 5}, "cache length"),
        ({"tokens": GOOD["tokens"][:-1]}, "cache length"),
        ({"blocks": 7}, "blocks = number of k's.*blocks <= wanted"),
        ({"accepted": 5, "proposed": 4, "blocks": 1}, "accepted <= proposed"),
        ({"tokens": (0, 3)}, "returned is what was emitted first"),
        ({"asked": [2, 1]}, "proposed = sum of each block's k"),
        ({"asked": [4]}, "blocks = number of k's"),
        ({"asked": [4, 0]}, "discarded <= k of the last block"),
        ({"returned": [0, 3, 2, 13, 4]}, "returned = wanted, or the last one is the end token"),
        ({"returned": [0, 3, 2, 13, 4, 7, 6]}, "returned <= wanted"),
        ({"returned": [0, 3, 2, 13, 4, 6]}, "returned is what was emitted first"),
        ({"returned": [0, 3, 2], "end": 2}, "discarded <= k of the last block"),
        ({"end": 13}, "no token after the end token"),
    ],
)
def test_each_rule_of_the_books(change, rule):
    check_ledger(Ledger(**GOOD), **ASKED)
    books = {name: value for name, value in change.items() if name in GOOD}
    with pytest.raises(LedgerError, match=rule):
        check_ledger(Ledger(**(GOOD | books)), **(ASKED | {n: v for n, v in change.items() if n not in GOOD}))


def test_the_books_of_a_run_that_an_end_token_stopped():
    check_ledger(Ledger(**GOOD), **(ASKED | {"end": 7, "wanted": 30}))
    check_ledger(Ledger(**GOOD), **(ASKED | {"end": 0, "wanted": 5}))  # the start is no end


@pytest.mark.parametrize(
    ("wanted", "end", "returned"),
    [(4, None, [3, 1, 3, 2, 3]), (2, None, [3, 1, 3]), (9, 3, [3, 1, 3]), (1, 3, [3, 1]), (9, 8, [3, 1, 3, 2, 3])],
)
def test_what_is_returned(wanted, end, returned):
    assert returned_tokens((3, 1, 3, 2, 3), wanted, end) == returned


@given(MAPS, MAPS, st.integers(0, 6), TOKENS, st.integers(1, 24))
def test_context_free_runs_are_exact_and_balanced(target, draft, k, start, wanted):
    run = run_sync(play(RulePlayer(target, draft), k=k, start=start, tokens=wanted))
    plain = [start]
    while len(plain) < wanted + k + 1:
        plain.append(target[plain[-1]])
    assert run.tokens == plain[: wanted + 1]
    assert run.ledger == recompute_counts(plain, draft, k, wanted)


@given(MAPS, st.integers(0, 6), TOKENS, st.integers(1, 24), st.sampled_from([2, 3, 16]))
def test_context_dependent_runs_are_exact_and_balanced(draft, k, start, wanted, modulus):
    player = ScriptedPlayer(draft, modulus)
    run = run_sync(play(player, k=k, start=start, tokens=wanted))
    plain = player.plain(start, wanted + k)
    assert run.tokens == plain[: wanted + 1]
    assert run.ledger == recompute_counts(plain, draft, k, wanted)
    committed = list(run.ledger.tokens)
    for (rows, cache_length), block in zip(player.blocks, run.blocks, strict=True):
        assert rows == block.rows and rows[0] == committed[cache_length]
        assert len(rows) == k + 1
    assert player.cache[: run.ledger.cache_length] == committed[:-1]


class Changing(Policy):
    """Another k every block."""

    def __init__(self, choices):
        self.choices = choices

    def guesses(self, past, ahead):
        return min(self.choices[len(past)], ahead.room)


@given(MAPS, st.lists(st.integers(0, 6), min_size=24, max_size=24), TOKENS, st.integers(1, 24),
       st.sampled_from([2, 3, 16]))  # fmt: skip
def test_runs_of_a_changing_k_are_exact_and_balanced(draft, ks, start, wanted, modulus):
    player = ScriptedPlayer(draft, modulus)
    run = run_sync(play(player, k=Changing(ks), start=start, tokens=wanted))
    plain = player.plain(start, wanted + max(ks))
    assert run.tokens == plain[: wanted + 1]
    assert run.ledger == recompute_counts(plain, draft, ks, wanted)
    assert [len(rows) - 1 for rows, _ in player.blocks] == ks[: run.ledger.blocks]
    assert player.cache[: run.ledger.cache_length] == list(run.ledger.tokens[:-1])


@given(MAPS, st.lists(st.integers(0, 6), min_size=24, max_size=24), TOKENS, TOKENS)
def test_an_end_token_cuts_the_plain_text(draft, ks, start, end):
    """Whatever is guessed, the run stops where plain decoding does, and says how much it emitted in vain."""
    player = ScriptedPlayer(draft, 16)
    run = run_sync(play(player, k=Changing(ks), start=start, tokens=24, end=end))
    plain = player.plain(start, 24)
    stop = next((at for at in range(1, 25) if plain[at] == end), 24)
    assert run.tokens == plain[: stop + 1]
    assert sum(len(block.emitted) for block in run.blocks) == stop + run.discarded
    assert sum(len(block.emitted) for block in run.blocks[:-1]) < stop


@pytest.mark.parametrize("k", [1, 2, 3, 5, 15])
def test_a_perfect_draft_is_accepted_completely(k):
    run = run_sync(play(RulePlayer(RULE, RULE), k=k, start=5, tokens=32))
    assert run.ledger.accepted == run.ledger.proposed == k * run.ledger.blocks
    assert run.ledger.blocks == -(-32 // (k + 1))


def test_a_hopeless_draft_is_never_accepted():
    wrong = [(token + 1) % 16 for token in RULE]
    run = run_sync(play(RulePlayer(RULE, wrong), k=3, start=0, tokens=10))
    assert (run.ledger.accepted, run.ledger.blocks, run.ledger.cache_length) == (0, 10, 10)


def test_the_last_block_is_counted_whole_and_cut_from_the_tokens():
    run = run_sync(play(RulePlayer(RULE, RULE), k=4, start=0, tokens=32))
    assert (run.ledger.accepted, run.ledger.proposed, run.ledger.blocks, run.ledger.emitted) == (28, 28, 7, 35)
    assert len(run.tokens) == 33


def test_plain_decoding_is_k_zero():
    run = run_sync(play(RulePlayer(RULE, RULE), k=0, start=0, tokens=32))
    assert (run.ledger.accepted, run.ledger.proposed, run.ledger.blocks) == (0, 0, 32)
    assert all(block.guesses == () for block in run.blocks)


@pytest.mark.parametrize(("used", "room"), [(0, 15), (12, 3), (15, 0)])
def test_guesses_that_fit_the_cache(used, room):
    assert guess_room(used, capacity=16) == room


def test_a_nearly_full_cache_clips_the_block_and_a_full_one_is_refused():
    run = run_sync(play(RulePlayer(RULE, RULE, capacity=10), k=3, start=0, tokens=10))
    assert [len(block.guesses) for block in run.blocks] == [3, 3, 1]
    assert run.ledger.cache_length == 10
    with pytest.raises(ValueError, match="cache is full: 10 of 10"):
        run_sync(play(RulePlayer(RULE, RULE, capacity=10), k=3, start=0, tokens=11))


@pytest.mark.parametrize(("k", "tokens"), [(-1, 5), (3, 0)])
def test_bad_arguments_are_refused(k, tokens):
    with pytest.raises(ValueError, match="at least"):
        run_sync(play(RulePlayer(RULE, RULE), k=k, start=0, tokens=tokens))


def test_progress_is_reported_after_every_block():
    seen = []
    run_sync(play(RulePlayer(RULE, RULE), k=3, start=0, tokens=6, progress=lambda *at: seen.append(at)))
    assert seen == [(4, 6), (6, 6)]


def test_recompute_needs_enough_plain_tokens():
    with pytest.raises(ValueError, match="need 9 plain tokens"):
        recompute_counts([0] * 8, RULE, 3, 5)
