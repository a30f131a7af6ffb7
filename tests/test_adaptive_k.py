# SPDX-License-Identifier: Apache-2.0
"""Who chooses k: the same tokens for every policy, and the promise of the adaptive one, for drafts of every kind.

The target is a text, the costs are functions: a run takes milliseconds, and the promise is of the policy alone.
"""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ga2.device.protocol import run_sync
from ga2.models.drafts import make_table, table_choices
from ga2.models.host_drafts import HostDraft, SuffixDraft, bigram_of
from ga2.models.targets import structured_target, successor
from ga2.speculation import adaptive
from ga2.speculation.accept import Block
from ga2.speculation.adaptive import REMEMBERED, SHARE, AdaptiveK, acceptance, expected_tokens, spent
from ga2.speculation.costs import RoundCosts, SeparateCosts
from ga2.speculation.greedy import play
from ga2.speculation.players import TextPlayer
from ga2.speculation.policy import Ahead, FixedK, Policy
from ga2.stimulus import build_session

TOKENS = 256
MOST = 7
RULE = [0]
while len(RULE) < TOKENS + 32:
    RULE.append(successor(RULE[-1]))


class Costs(RoundCosts):
    """Like `nano`: a step grows with the cache, a pass of up to 4 rows costs little more, a fifth row as much again."""

    def __init__(self, guess=63, base=720, slope=12.5, row=0.02, tile=0.85):
        self.guess, self.base, self.slope, self.row, self.tile = guess, base, slope, row, tile

    def cycles(self, guesses, length):
        rows = 1 + self.row * guesses + self.tile * (guesses // 4)
        return guesses * self.guess + int((self.base + self.slope * length) * rows)


class TruthDraft(HostDraft):
    """Knows the text, and guesses right or wrong as it is told by the position."""

    def __init__(self, text, right):
        self.text, self.right = text, right

    def next_token(self, text):
        return (self.text[len(text)] + (not self.right(len(text)))) % 16


class Scripted(Policy):
    """Any choice at all."""

    def __init__(self, choices):
        self.choices = choices

    def guesses(self, past, ahead):
        return min(self.choices[len(past) % len(self.choices)], ahead.room)


def decode(draft, k, tokens=TOKENS, end=None, text=RULE, capacity=1 << 16):
    return run_sync(play(TextPlayer(text, draft, capacity), k=k, start=text[0], tokens=tokens, end=end))


def speed_up(costs, run):
    """Plain cycles of the tokens that are returned over the cycles of the run."""
    return Fraction(costs.plain(len(run.tokens) - 1), spent(costs, run.blocks)[1])


PATTERNS = {
    "always wrong": lambda at: False,
    "always right": lambda at: True,
    "right until trusted, then wrong": lambda at: at < 40,
    "wrong, then right": lambda at: at > 128,
    "every second": lambda at: at % 2 == 0,
    "one in ten": lambda at: at % 10 == 0,
    "right in turns of 30": lambda at: (at // 30) % 2 == 0,
    "wrong in turns of 30": lambda at: (at // 30) % 2 == 1,
}
CORES = {"on the host": Costs(0), "table": Costs(63), "matmul": Costs(144), "dear": Costs(900, row=0.5)}


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("tokens", [1, 7, TOKENS])
def test_the_promise_for_drafts_of_every_kind(pattern, core, tokens):
    run = decode(TruthDraft(RULE, PATTERNS[pattern]), AdaptiveK(CORES[core], MOST), tokens)
    assert run.tokens == RULE[: tokens + 1]
    assert speed_up(CORES[core], run) >= SHARE


@settings(max_examples=40, deadline=None)
@given(st.data(), st.floats(0, 1), st.integers(0, 400), st.integers(1, 2000), st.floats(0, 30), st.floats(0, 1),
       st.integers(1, 60), st.sampled_from([Fraction(9, 10), SHARE, Fraction(1)]))  # fmt: skip
def test_the_promise_for_random_drafts_and_costs(data, chance, guess, base, slope, row, tokens, share):
    costs = Costs(guess, base, slope, row)
    hits = data.draw(st.randoms(use_true_random=False))
    lucky = [hits.random() < chance for _ in range(TOKENS + 32)]
    run = decode(TruthDraft(RULE, lucky.__getitem__), AdaptiveK(costs, MOST, share), tokens)
    assert speed_up(costs, run) >= share
    assert run.ledger.emitted == tokens and run.discarded == 0


class Spiteful(HostDraft):
    """Right as long as k is small: wrong whenever the policy has just been seen to trust it."""

    def __init__(self, text):
        self.text, self.trusted = text, 0

    def propose(self, text, count):
        self.trusted = max(0, self.trusted - 1) if count < 3 else 5
        right = [self.text[len(text) + index] for index in range(count)]
        return tuple(right) if self.trusted == 0 else tuple((token + 1) % 16 for token in right)

    def next_token(self, text):
        raise AssertionError("proposes whole blocks")


@pytest.mark.parametrize("core", CORES)
def test_the_promise_against_a_draft_that_watches_the_policy(core):
    assert speed_up(CORES[core], decode(Spiteful(RULE), AdaptiveK(CORES[core], MOST))) >= SHARE


@settings(max_examples=20, deadline=None)
@given(st.lists(st.booleans(), min_size=60, max_size=60), st.integers(0, 15), st.sampled_from(list(CORES)))
def test_a_run_that_may_end_keeps_the_promise_after_every_block(hits, end, core):
    costs = CORES[core]
    run = decode(TruthDraft(RULE, hits.__getitem__), AdaptiveK(costs, MOST), end=end)
    for count in range(1, len(run.blocks) + 1):
        length, cycles = spent(costs, run.blocks[:count])
        assert cycles * SHARE <= costs.plain(length)
    assert run.tokens[-1] == end and speed_up(costs, run) >= SHARE


@pytest.mark.parametrize("core", ["table", "matmul"])
def test_without_the_budget_the_promise_is_broken(core, monkeypatch):
    """The estimates alone do not keep it: what the tests above hold to is the budget."""
    monkeypatch.setattr(AdaptiveK, "budget", lambda policy, tokens: Fraction(10**12))
    wrong = TruthDraft(RULE, PATTERNS["always wrong"])
    assert speed_up(CORES[core], decode(wrong, AdaptiveK(CORES[core], MOST), tokens=7)) < SHARE


def test_a_promise_of_full_speed_never_explores_at_a_loss():
    run = decode(TruthDraft(RULE, lambda at: False), AdaptiveK(Costs(), MOST, Fraction(1)))
    assert all(not block.guesses for block in run.blocks)


@pytest.mark.parametrize("noise", [0.0, 3.0, 4.0, 5.0, 6.0])
@pytest.mark.parametrize("core", ["on the host", "table", "matmul"])
def test_adapting_comes_near_the_best_fixed_k(noise, core):
    draft = bigram_of(table_choices(make_table("structured", structured_target(), noise, 1)))
    costs = CORES[core]
    fixed = max(speed_up(costs, decode(draft, k)) for k in range(MOST + 1))
    assert speed_up(costs, decode(draft, AdaptiveK(costs, MOST))) >= Fraction(9, 10) * fixed


def test_a_change_midway_is_followed():
    """Better than every fixed k: none is right for both halves."""
    costs = CORES["matmul"]
    draft = TruthDraft(RULE, PATTERNS["right until trusted, then wrong"])
    run = decode(draft, AdaptiveK(costs, MOST))
    assert speed_up(costs, run) > max(speed_up(costs, decode(draft, k)) for k in range(1, MOST + 1))
    ks = [len(block.guesses) for block in run.blocks]
    assert max(ks[:14]) >= 3 and 3 * sum(ks[-40:]) < 40
    draft = TruthDraft(RULE, PATTERNS["wrong, then right"])
    late = [len(block.guesses) for block in decode(draft, AdaptiveK(costs, MOST)).blocks]
    assert max(late[20:80]) <= 1 and max(late[-10:]) >= 3


def test_the_policy_sees_only_what_is_past():
    """The k of every block follows from the blocks before it: asked again about any of them, the answer is the same."""
    policy = AdaptiveK(Costs(), MOST)
    draft = TruthDraft(RULE, PATTERNS["right in turns of 30"])
    run = decode(draft, policy)
    for index, block in enumerate(run.blocks):
        ahead = Ahead(1 << 10, TOKENS)
        assert policy.guesses(run.blocks[:index], ahead) == len(block.guesses)


class Watching(Scripted):
    """Remembers what it was shown before every block."""

    def __init__(self, choices):
        super().__init__(choices)
        self.shown = []

    def guesses(self, past, ahead):
        self.shown.append((past, ahead))
        return super().guesses(past, ahead)


@pytest.mark.parametrize("end", [None, 9])
def test_the_loop_shows_a_policy_finished_blocks_alone(end):
    policy = Watching([3, 0, 5, 1])
    run = decode(TruthDraft(RULE, PATTERNS["every second"]), policy, 40, end, capacity=60)
    assert len(policy.shown) == len(run.blocks)
    for index, (past, ahead) in enumerate(policy.shown):
        assert tuple(past) == run.blocks[:index]
        rows = sum(block.kept_rows for block in past)
        assert ahead == Ahead(60 - rows - 1, 40, end is not None)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 15), min_size=16, max_size=16), st.lists(st.integers(0, 6), min_size=1, max_size=5),
       st.integers(0, 15), st.integers(1, 40), st.none() | st.integers(0, 15))  # fmt: skip
def test_tokens_are_the_plain_ones_for_every_policy(table, choices, start, wanted, end):
    """Also with an end token, whatever the draft and k: plain decoding stops at the same place."""
    text = [(token + start) % 16 for token in RULE]
    for draft in (bigram_of(table), SuffixDraft()):
        plain = decode(draft, 0, wanted, end, text)
        for policy in (Scripted(choices), FixedK(3), AdaptiveK(Costs(), MOST)):
            run = decode(draft, policy, wanted, end, text)
            assert run.tokens == plain.tokens
            assert run.discarded == run.ledger.emitted - len(run.tokens) + 1


def test_a_nearly_full_cache_clips_an_adaptive_k():
    run = decode(TruthDraft(RULE, PATTERNS["always right"]), AdaptiveK(Costs(), MOST), tokens=20, capacity=20)
    assert run.ledger.cache_length == 20 and run.discarded == 0


class Greedy(Policy):
    """Asks for more than there is room."""

    def guesses(self, past, ahead):
        return ahead.room + 1


def test_a_policy_that_asks_for_too_much_is_refused():
    with pytest.raises(ValueError, match="asks for 20 guesses: expected 0 to 19"):
        decode(SuffixDraft(), Greedy(), tokens=5, capacity=20)


@pytest.mark.parametrize("arguments", [(-1,), (3, Fraction(0)), (3, Fraction(11, 10))])
def test_bad_policies_are_refused(arguments):
    with pytest.raises(ValueError, match="at least 0"):
        AdaptiveK(Costs(), *arguments)
    with pytest.raises(ValueError, match="at least 0: got k = -1"):
        FixedK(-1)


def test_estimates():
    right, half = Block(0, (1, 2, 3), (1, 2, 3, 4)), Block(0, (1, 2, 3), (1, 9, 9, 9))
    assert acceptance([], 2) == [adaptive.PRIOR] * 2
    assert all(chance > 0.9 for chance in acceptance([right] * 200, 3))
    first, second, third = acceptance([half] * REMEMBERED, 3)
    assert first > 0.85 and second < 0.15 and 0.3 < third < 0.7  # never tried: drawn to the mean of the others
    assert acceptance([half] * 500, 3) == acceptance([half] * REMEMBERED, 3)
    assert expected_tokens([0.5, 0.5]) == [1, 1.5, 1.75] and expected_tokens([]) == [1]


def test_an_untested_estimate_returns_to_the_prior():
    wrong, plain = Block(0, (1,), (2, 2)), Block(0, (), (2,))
    chances = [acceptance([wrong] * 20 + [plain] * count, 1)[0] for count in (0, 20, 40, 80)]
    assert chances == sorted(chances) and chances[0] < 0.1 < 0.5 < chances[-1] < adaptive.PRIOR


@pytest.mark.parametrize("form", ["matmul", "table"])
def test_the_costs_of_separate_programs_are_those_of_the_chip(form):
    from ga2.device.golden import GoldenDevice
    from ga2.speculation.chip import decode as on_chip

    session = build_session("nano", draft=form, noise=4.0)
    run = run_sync(on_chip(GoldenDevice(session.config), session, k=Scripted([2, 0, 4, 1]), start=0, tokens=10))
    assert {len(block.guesses) for block in run.blocks_run} >= {0, 1, 2, 4}
    assert spent(SeparateCosts(session), run.blocks_run) == (run.emitted, run.cycles)
    target = sum(one.result.counters["total"] for one in run.programs_run if one.entry == "target")
    assert spent(SeparateCosts(session, on_host=True), run.blocks_run)[1] == target


def test_the_promises_for_nano():
    """Over 256 tokens of the structured target: 1.5 with noise 4, and 0.97 with guesses that are all wrong."""
    costs = SeparateCosts(build_session("nano", draft="table"))
    noisy = bigram_of(table_choices(make_table("structured", structured_target(), 4.0, 1)))
    assert speed_up(costs, decode(noisy, AdaptiveK(costs, 3))) >= Fraction(3, 2)
    assert speed_up(costs, decode(TruthDraft(RULE, PATTERNS["always wrong"]), AdaptiveK(costs, 3))) >= SHARE
