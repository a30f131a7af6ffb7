# SPDX-License-Identifier: Apache-2.0
"""The broken versions of `verif/mutants/speculation.yaml`, made in memory: each must be seen by the check named for it.

A broken version replaces one small function. `ga2 mutants --over speculation` makes them in copies of the sources.
"""

import numpy as np
import pytest

from capra import library
from ga2 import stimulus
from ga2.models import drafts, reference
from ga2.mutants.table import PARTS, mutants
from ga2.speculation import accept, chip, ledger, players
from ga2.speculation.accept import Block
from tests.speculation_battery import CHECKS


def patch_property(monkeypatch, name, function):
    monkeypatch.setattr(Block, name, property(function))


def patch_prefix(function):
    return lambda monkeypatch: monkeypatch.setattr(accept, "agreeing_prefix", function)


def true_prefix(guesses, choices):
    pairs = zip(guesses, choices, strict=False)
    return next((index for index, (guess, choice) in enumerate(pairs) if guess != choice), len(guesses))


def one_more(guesses, choices):
    return min(true_prefix(guesses, choices) + 1, len(guesses))


def first_unchecked(guesses, choices):
    return 1 + true_prefix(guesses[1:], choices[1:]) if guesses else 0


def shifted(guesses, choices):
    return true_prefix(guesses, choices[1:])


def stops_at_first_agreement(guesses, choices):
    return min(true_prefix(guesses, choices), 1)


def drafts_own_bonus(monkeypatch):
    def emitted(block):
        kept = block.guesses[: block.accepted + 1]
        return kept if block.accepted < len(block.guesses) else (*kept, block.choices[-1])

    patch_property(monkeypatch, "emitted", emitted)


def bonus_from_the_previous_row(monkeypatch):
    patch_property(monkeypatch, "emitted", lambda b: (*b.guesses[: b.accepted], b.choices[max(b.accepted - 1, 0)]))


def bonus_not_appended(monkeypatch):
    patch_property(monkeypatch, "emitted", lambda b: b.guesses[: b.accepted] or b.choices[:1])


def rejected_rows_kept(monkeypatch):
    patch_property(monkeypatch, "kept_rows", lambda b: len(b.rows))


def one_row_too_few(monkeypatch):
    patch_property(monkeypatch, "kept_rows", lambda b: b.accepted)


def last_token_left_out(monkeypatch):
    patch_property(monkeypatch, "rows", lambda b: (*b.guesses, b.guesses[-1]) if b.guesses else (b.last,))

    async def block(player, text, count, cache_length):
        proposed = await player.propose(text, count)
        rows = (*proposed, proposed[-1]) if proposed else text[-1:]
        return Block(text[-1], proposed, tuple(await player.verify(rows, cache_length)))

    monkeypatch.setattr(players.Player, "block", block)


def unchained(monkeypatch):
    async def chained(guess, last, count):
        return tuple([await guess(last) for _ in range(count)])

    for module in (players, chip):
        monkeypatch.setattr(module, "chained", chained)


def a_guess_too_many(monkeypatch):
    original = players.chained

    async def chained(guess, last, count):
        return (await original(guess, last, count + 1))[:count]

    for module in (players, chip):
        monkeypatch.setattr(module, "chained", chained)


def keys_and_values_swapped(monkeypatch):
    original = library.target_graph

    def swapped(weights, rows=None, name="target"):
        return original({**weights, "Wk": weights["Wv"], "Wv": weights["Wk"]}, rows, name)

    monkeypatch.setattr("capra.compile.target_graph", swapped)


def patch_sliced(seen_keys, seen_values, query):
    """Sliced attention with other prefix lengths; each is a function of (context, rows, i)."""

    def attention(graph, q, keys, values):
        rows, context, parts = q.shape.rows, keys.shape.rows, []
        for i in range(rows.imm):
            seen = [function(context, rows, i) for function in (seen_keys, seen_values)]
            scores = graph.matmul(
                graph.slice_rows(q, query(i), 1),
                graph.slice_rows(keys, 0, seen[0]),
                transpose_b=True,
                scale=0.25,
                role="scores",
            )
            probabilities = graph.softmax(scores)
            parts.append(graph.matmul(probabilities, graph.slice_rows(values, 0, seen[1]), role="attention"))
        return graph.concat_rows(*parts, name="attention")

    return lambda monkeypatch: monkeypatch.setattr(library, "sliced_attention", attention)


def prefix(context, rows, i):
    return context - rows + (i + 1)


def one_later(context, rows, i):
    return context - rows + min(i + 2, rows.imm)


def without_itself(context, rows, i):
    return context - rows + max(i, 1)


def everything(context, rows, i):
    return context


def own(i):
    return i


def reversed_rows(monkeypatch):
    original = library.sliced_attention

    def attention(graph, q, keys, values):
        whole = original(graph, q, keys, values)
        graph.nodes.remove(whole)
        return graph.concat_rows(*reversed(whole.inputs), name="attention")

    monkeypatch.setattr(library, "sliced_attention", attention)


def float_block_sees_everything(monkeypatch):
    monkeypatch.setattr(reference, "causal_scores", lambda q, keys, cached: q @ keys.T / 4)


def draft_one_too_high(monkeypatch):
    original = drafts.structured_table
    monkeypatch.setattr(drafts, "structured_table", lambda: np.roll(original(), 1, axis=1))


def draft_rows_shifted_on_the_chip(monkeypatch):
    original = stimulus.separated
    monkeypatch.setattr(stimulus, "separated", lambda table: np.roll(original(table), 1, axis=0))


def rejected_guesses_not_counted(monkeypatch):
    original = ledger.Ledger.after

    def after(books, block):
        counted = original(books, block)
        return ledger.replace(counted, proposed=books.proposed + block.accepted)

    monkeypatch.setattr(ledger.Ledger, "after", after)


def target_runs_at_length_zero(monkeypatch):
    original = chip.ChipPlayer.run

    async def run(player, program, tokens, length):
        return await original(player, program, tokens, 0)

    monkeypatch.setattr(chip.ChipPlayer, "run", run)


RECORDED = {
    "one more accepted than agreed": patch_prefix(one_more),
    "first guess not checked": patch_prefix(first_unchecked),
    "guess i compared after row i + 1": patch_prefix(shifted),
    "acceptance stops at the first agreement": patch_prefix(stops_at_first_agreement),
    "the draft's bonus token kept": drafts_own_bonus,
    "bonus token from the previous row": bonus_from_the_previous_row,
    "bonus token not appended": bonus_not_appended,
    "rejected rows kept": rejected_rows_kept,
    "the bonus token's input row dropped": one_row_too_few,
    "keys and values swapped": keys_and_values_swapped,
    "the last committed token left out": last_token_left_out,
    "every guess made from the committed token": unchained,
    "a row sees one later row": patch_sliced(one_later, one_later, own),
    "a row cannot see itself": patch_sliced(without_itself, without_itself, own),
    "keys see the prefix, values everything": patch_sliced(prefix, everything, own),
    "row i uses row 0's query": patch_sliced(prefix, prefix, lambda i: 0),
    "rows concatenated in reverse": reversed_rows,
    "float block sees the whole block": float_block_sees_everything,
    "draft table says f(t) + 1": draft_one_too_high,
}
FURTHER = {
    "the draft makes a guess more than the block takes": a_guess_too_many,
    "the chip's draft table is one row off": draft_rows_shifted_on_the_chip,
    "rejected guesses are not counted": rejected_guesses_not_counted,
    "the target runs on an empty cache": target_runs_at_length_zero,
}


@pytest.fixture(autouse=True)
def fresh_sessions():
    """Broken sessions must not stay in the cache, nor good ones hide a broken build."""
    stimulus._session.cache_clear()
    stimulus._model.cache_clear()
    yield
    stimulus._session.cache_clear()
    stimulus._model.cache_clear()


TABLE = [each for each in mutants(PARTS["speculation"].table) if not each.equivalent]


def test_the_table_has_all_recorded_versions_and_these():
    assert [each.name for each in TABLE] == [*RECORDED, *FURTHER]
    assert len(RECORDED) == 19


@pytest.mark.parametrize("name", ["integers_against_float", "the_rule_through_the_loop"])
def test_the_unbroken_copies_are_green(name, monkeypatch):
    patch_prefix(true_prefix)(monkeypatch)
    patch_sliced(prefix, prefix, own)(monkeypatch)
    CHECKS[name]()


@pytest.mark.parametrize("mutant", TABLE, ids=lambda mutant: mutant.name)
def test_a_broken_version_is_caught_by_the_check_named_for_it(mutant, monkeypatch):
    check = CHECKS[mutant.judge.partition("[")[2].removesuffix("]")]
    (RECORDED | FURTHER)[mutant.name](monkeypatch)
    with pytest.raises((AssertionError, ValueError, IndexError)):
        check()
