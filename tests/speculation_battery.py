# SPDX-License-Identifier: Apache-2.0
"""The recorded checks of the speculative path and some more, by name: each broken version is seen by one of them.

Every check raises AssertionError (or a LedgerError or ValueError of the code under test) when it sees a fault.
`tests/test_recorded_checks.py` runs them; the tests of broken versions call the one named for each version.
"""

from collections.abc import Callable

import numpy as np

from capra import interpret
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.exactness import recorded
from ga2.models import calibration, drafts, integer, reference, targets
from ga2.speculation import accept, greedy, ledger, players
from ga2.speculation.chip import ChipPlayer, decode
from ga2.speculation.graph_device import GraphDevice
from ga2.speculation.session import load
from ga2.stimulus import build_session

SUCCESSORS = [(5 * token + 3) % 16 for token in range(16)]


class ContextPlayer(players.Player):
    """A target whose choice hashes every token that the row may see, over a cache of exactly the kept rows."""

    capacity = 1 << 16

    def __init__(self, draft):
        self.draft, self.cache, self.seen = draft, [], []

    @staticmethod
    def choice(context):
        value = 7
        for token in context:
            value = (value * 31 + token + 1) % 10007
        return value % 3

    async def guess(self, token):
        return self.draft[token]

    async def propose(self, text, count):
        return await players.chained(self.guess, text[-1], count)

    async def verify(self, tokens, cache_length):
        assert cache_length <= len(self.cache), "the cache has fewer rows than the loop says"
        self.seen.append((tuple(tokens), cache_length))
        self.cache = self.cache[:cache_length] + list(tokens)
        return [self.choice(self.cache[: cache_length + row + 1]) for row in range(len(tokens))]

    def plain(self, start, count):
        tokens = [start]
        for _ in range(count):
            tokens.append(self.choice(tokens))
        return tokens


def check_worked_example():
    block = accept.Block(4, (7, 2, 5), (7, 2, 9, 4))
    assert (block.rows, block.accepted, block.emitted, block.kept_rows) == ((4, 7, 2, 5), 2, (7, 2, 9), 3)


def check_books_against_the_plain_tokens():
    for draft in ([0] * 16, [1] * 16, [2] * 16, [1, 2, 0, *[0] * 13]):
        for k in (1, 2, 3, 5):
            player = ContextPlayer(draft)
            run = run_sync(greedy.play(player, k=k, start=2, tokens=20))
            plain = player.plain(2, 20 + k)
            assert run.tokens == plain[:21]
            assert run.ledger == ledger.recompute_counts(plain, draft, k, 20)
            assert all(tokens[0] == plain[length] and len(tokens) == k + 1 for tokens, length in player.seen)


def check_a_perfect_draft_is_accepted_completely():
    weights = targets.structured_target()
    for k in (1, 2, 4):
        player = players.FloatPlayer(weights, drafts.make_table("structured", weights, 0.0, 1))
        run = run_sync(greedy.play(player, k=k, start=5, tokens=20))
        assert run.ledger.accepted == run.ledger.proposed
        assert [SUCCESSORS[token] for token in run.tokens[:-1]] == run.tokens[1:]


def check_float_block_equals_steps():
    for weights in (*map(targets.random_target, (1, 2, 3)), targets.sharp_target(2)):
        for tokens in ([9], [9, 10], [9, 10, 9, 4], [9, 10, 9, 4, 2]):
            cache = reference.fill_cache(weights, [3, 8, 1, 12])
            block = reference.run_block(weights, tokens, cache)
            for index, token in enumerate(tokens):
                row = reference.run_block(weights, [token], cache)
                for part in ("logits", "k", "v", "attention"):
                    np.testing.assert_allclose(getattr(block, part)[index], getattr(row, part)[0], atol=1e-9, rtol=0)
                cache = cache.extended(row.k, row.v)


def check_integers_against_float():
    """Causal and sliced form: within 15 % (logits) and 12 % (the rest) of float; rows equal one-row steps."""
    weights, tokens, prompt = targets.sharp_target(2), [9, 10, 9, 4], [3, 8, 1, 12]
    ranges = calibration.target_ranges("sharp", weights)
    exact = reference.run_block(weights, tokens, reference.fill_cache(weights, prompt))
    for rows in (None, len(tokens)):
        target, single = integer.IntegerTarget(weights, ranges, rows), integer.IntegerTarget(weights, ranges)
        cache = single.fill_cache(prompt)
        block = target.run_block(tokens, cache)
        for part, bound in {"logits": 0.15, "attention": 0.12, "k": 0.12, "v": 0.12}.items():
            found = getattr(block, part) * target.spec.scale(part)
            assert recorded.relative_error(found, getattr(exact, part)) <= bound, part
        for index, token in enumerate(tokens):
            row = single.run_block([token], cache)
            for part in ("logits", "attention", "k", "v"):
                np.testing.assert_array_equal(getattr(block, part)[index], getattr(row, part)[0])
            cache = cache.extended(row)


def check_the_programs_of_a_session():
    """Through a device: the draft's guesses are the table's, and the caches hold keys and values of every row."""
    session = build_session("nano", noise=3.0)

    async def play():
        device = GraphDevice(session.model)
        await load(device, session)
        player = ChipPlayer(device, session)
        guesses = [await player.guess(token) for token in range(16)]
        run = await greedy.play(player, k=3, start=0, tokens=20)
        return device, guesses, run

    device, guesses, run = run_sync(play())
    assert guesses == list(session.table_choice)
    tokens = np.array(run.ledger.tokens[: run.ledger.cache_length])[:, np.newaxis]
    empty = np.zeros((0, 16), np.int8)
    values = interpret(
        session.target.graph, session.model.spec, {"ids": tokens, "k_cache": empty, "v_cache": empty}, 0, len(tokens)
    )
    weights = targets.structured_target()
    exact = reference.run_block(weights, [int(token) for token in tokens[:, 0]])
    for name in ("k", "v"):
        symbol = session.model.caches[f"{name}_cache"]
        stored = symbol.unpack(run_sync(device.read(symbol.address, len(tokens) * symbol.pitch)))
        np.testing.assert_array_equal(stored, values[name])
        assert recorded.relative_error(stored * session.model.spec.scale(name), getattr(exact, name)) < 0.12


def check_every_program_is_accounted_for():
    """A run of the draft for every guess and of the target for every block, at the LEN of the books."""
    session = build_session("nano", noise=4.0)
    run = run_sync(decode(GraphDevice(session.model), session, k=3, start=0, tokens=20))
    expected, length = [], 0
    for block in run.blocks_run:
        expected += [(session.draft.name, 0, (token,)) for token in block.rows[:-1]]
        expected.append((session.target.name, length, block.rows))
        length += block.kept_rows
    assert [(each.entry, each.length, each.ids) for each in run.programs_run] == expected
    assert run.programs == run.proposed + run.blocks


def golden():
    session = build_session("nano")
    return GoldenDevice(session.config, session.model.end, lambda _config, _outcome: {"total": 1})


def check_a_later_token_changes_no_earlier_row():
    """In integers: of the program, and of the graph whose attention is taken row by row."""
    assert run_sync(recorded.check_causality(golden())) == []
    weights = targets.sharp_target(recorded.SHARP_SEED)
    ranges = calibration.target_ranges("sharp", weights)
    sliced = integer.IntegerTarget(weights, ranges, len(recorded.BLOCKS[0]))
    cache = integer.IntegerTarget(weights, ranges).fill_cache(recorded.CACHE)
    logits = tuple(sliced.run_block(block, cache).logits for block in recorded.BLOCKS)
    assert recorded.Causality(recorded.BLOCKS, logits).changed == [[3], [2, 3], [0, 1, 2, 3]]


def check_the_verifier_is_its_graph_and_close_to_float():
    assert run_sync(recorded.check_verifier(golden())) == []


def check_the_rule_through_the_loop():
    for k in recorded.RULE_GUESSES:
        for noise in recorded.RULE_NOISES:
            assert run_sync(recorded.check_rule(golden(), k, noise)) == [], (k, noise)


def float_drafts(kind, weights):
    """Those of the recorded check: random, constant, and the bigram with noise 0, 3, 100."""
    fitted = drafts.make_table(kind, weights, 0.0, 1)
    return {
        "noise 0": fitted,
        "noise 3": drafts.with_noise(fitted, 3.0, 1),
        "noise 100": drafts.with_noise(fitted, 100.0, 1),
        "random": drafts.with_noise(0 * fitted, 1.0, 9),
        "constant": 0 * fitted,
    }


def check_float_speculation_is_exact(kind, seed, k):
    """The target's own tokens for every draft, and books that follow from them."""
    weights = targets.make_target(kind, seed)
    plain = [5, *reference.greedy_tokens(weights, 5, 20 + k)]
    for name, table in float_drafts(kind, weights).items():
        run = run_sync(greedy.play(players.FloatPlayer(weights, table), k=k, start=5, tokens=20))
        assert run.tokens == plain[:21], name
        assert run.ledger == ledger.recompute_counts(plain, drafts.table_choices(table), k, 20), name


def check_speculation_is_exact_for_every_draft():
    for kind, seed in (("random", 1), ("random", 2), ("structured", 1), ("sharp", 107)):
        for k in (1, 2, 3, 5):
            check_float_speculation_is_exact(kind, seed, k)


CHECKS: dict[str, Callable[[], None]] = {
    check.__name__.removeprefix("check_"): check
    for check in (
        check_worked_example,
        check_books_against_the_plain_tokens,
        check_a_perfect_draft_is_accepted_completely,
        check_float_block_equals_steps,
        check_speculation_is_exact_for_every_draft,
        check_integers_against_float,
        check_the_programs_of_a_session,
        check_every_program_is_accounted_for,
        check_a_later_token_changes_no_earlier_row,
        check_the_verifier_is_its_graph_and_close_to_float,
        check_the_rule_through_the_loop,
    )
}
