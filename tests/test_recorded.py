# SPDX-License-Identifier: Apache-2.0
"""The recorded runs, reproduced in float: tokens, acceptances and block counts of spec/recorded/."""

import csv

import pytest

from ga2.device.protocol import run_sync
from ga2.models.drafts import make_table, table_choices
from ga2.models.reference import greedy_tokens
from ga2.models.targets import make_target, successor
from ga2.spec import SPEC_DIR
from ga2.speculation.greedy import play
from ga2.speculation.ledger import recompute_counts
from ga2.speculation.players import FloatPlayer, RulePlayer

TOKENS = 32
DRAFT_SEED = 1


def recorded(name: str) -> list[dict[str, str]]:
    with (SPEC_DIR / "recorded" / name).open(newline="") as stream:
        return list(csv.DictReader(stream))


def counts(ledger) -> tuple[int, int, int]:
    return ledger.accepted, ledger.proposed, ledger.blocks


def expected(row: dict[str, str]) -> tuple[int, int, int]:
    return int(row["accepted"]), int(row["proposed"]), int(row["blocks"])


GRID = recorded("acceptance_grid.csv")
RUNS = [row for row in recorded("greedy_runs.csv") if row["decoding"] == "speculative"]


@pytest.mark.parametrize("row", GRID, ids=lambda row: f"noise{row['noise']}-k{row['k']}")
def test_acceptance_grid(row):
    weights, k = make_target("structured", 1), int(row["k"])
    draft = table_choices(make_table("structured", weights, float(row["noise"]), DRAFT_SEED))
    rule = [successor(token) for token in range(16)]
    run = run_sync(play(RulePlayer(rule, draft), k=k, start=0, tokens=TOKENS))
    assert counts(run.ledger) == expected(row)
    assert round(100 * run.ledger.accepted / run.ledger.proposed) == int(row["acceptance_percent"])
    plain = [0]
    while len(plain) < TOKENS + k + 1:
        plain.append(successor(plain[-1]))
    assert run.tokens == plain[: TOKENS + 1]
    assert recompute_counts(plain, draft, k, TOKENS) == run.ledger


@pytest.mark.parametrize("row", RUNS, ids=lambda row: f"{row['target']}-k{row['k']}-noise{row['noise']}")
def test_greedy_runs_in_float(row):
    weights, k = make_target(row["target"], 1), int(row["k"])
    table = make_table(row["target"], weights, float(row["noise"]), DRAFT_SEED)
    run = run_sync(play(FloatPlayer(weights, table), k=k, start=0, tokens=TOKENS))
    assert counts(run.ledger) == expected(row)
    assert k * run.ledger.blocks + run.ledger.blocks == int(row["programs"])
    plain = [0, *greedy_tokens(weights, 0, TOKENS + k)]
    assert run.tokens == plain[: TOKENS + 1]
    assert recompute_counts(plain, table_choices(table), k, TOKENS) == run.ledger


def test_the_tie_broken_the_other_way_gives_the_other_recorded_counts():
    weights = make_target("random", 1)
    table = make_table("random", weights, 0.0, DRAFT_SEED)
    table[1, 11] += 1e-9
    for k, counted in ((1, (16, 17, 17)), (3, (24, 27, 9))):
        run = run_sync(play(FloatPlayer(weights, table), k=k, start=0, tokens=TOKENS))
        assert counts(run.ledger) == counted


@pytest.mark.parametrize(
    ("tie", "third", "sequence"),
    [
        (9, (9, 10, 9), [0, 5, 3, 13, 9, 1, 11]),
        (11, (11, 11, 11), [0, 5, 3, 13, 9, 1, 11, 11, 11, 11]),
    ],
)
def test_the_traced_blocks_of_the_random_target(tie, third, sequence):
    weights = make_target("random", 1)
    table = make_table("random", weights, 0.0, DRAFT_SEED)
    table[1, tie] += 1e-9
    run = run_sync(play(FloatPlayer(weights, table), k=3, start=0, tokens=6))
    assert [block.guesses for block in run.blocks] == [(5, 3, 13), (10, 9, 10), third]
    assert list(run.ledger.tokens) == sequence
    assert run.tokens == sequence[:7]
