# SPDX-License-Identifier: Apache-2.0
"""Drafts that guess on the host: what they answer, drafts as files, and what the comparison rests on."""

import csv
import json
import os
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ga2.cli import main
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.drafts import runs
from ga2.models.draft_file import LARGEST_FILE, read_draft
from ga2.models.drafts import make_table, table_choices
from ga2.models.host_drafts import SuffixDraft, TableDraft, bigram_of, fitted_trigram, make_host_draft
from ga2.models.reference import greedy_tokens
from ga2.models.targets import make_target, successor
from ga2.spec import SPEC_DIR
from ga2.speculation.chip import decode
from ga2.speculation.costs import SeparateCosts
from ga2.speculation.greedy import play
from ga2.speculation.players import FloatPlayer
from ga2.stimulus import build_session

TEXTS = st.lists(st.integers(0, 3), min_size=1, max_size=40)


def longest_suffix(text):
    """The rule, slowly: every suffix from the longest on, every earlier place from the latest on."""
    for length in range(len(text) - 1, 0, -1):
        for at in range(len(text) - length - 1, -1, -1):
            if text[at : at + length] == text[len(text) - length :]:
                return text[at + length]
    return text[-1]


@given(TEXTS)
def test_the_suffix_lookup_follows_its_rule(text):
    assert SuffixDraft().next_token(text) == longest_suffix(text)


@given(TEXTS, st.lists(st.integers(0, 3), max_size=10), st.integers(0, 6))
def test_a_draft_sees_no_future(text, rest, count):
    """Whatever follows, the guesses after a text are the same, and each is made from the text and those before it."""
    whole, draft = tuple(text + rest), SuffixDraft()
    guesses = draft.propose(whole[: len(text)], count)
    assert len(guesses) == count
    for index, guess in enumerate(guesses):
        assert guess == longest_suffix([*text, *guesses[:index]])


def test_worked_suffixes():
    draft = SuffixDraft()
    assert draft.propose([1, 2, 3, 1, 2], 3) == (3, 1, 2)
    assert draft.next_token([7, 5, 7, 6, 7]) == 6  # of two places the later
    assert draft.next_token([1, 2, 9, 4, 2, 8, 1, 2]) == 9  # the longer suffix before the later place
    assert draft.next_token([4]) == 4 and draft.next_token([4, 9]) == 9


def test_tables_of_both_orders():
    assert TableDraft(1, 3, (1, 2, 0)).propose((0,), 4) == (1, 2, 0, 1)
    pairs = TableDraft(2, 3, tuple((first + second) % 3 for first in range(3) for second in range(3)))
    assert pairs.propose((2,), 3) == (1, 0, 1)  # (2, 2), (2, 1), (1, 0)
    assert pairs.next_token((0, 2, 1)) == 0


@pytest.mark.parametrize(("kind", "seed"), [("structured", 1), ("random", 1), ("random", 147), ("sharp", 107)])
def test_the_trigram_is_the_commonest_follower_of_a_pair(kind, seed):
    weights = make_target(kind, seed)
    draft, followers = fitted_trigram(kind, weights), {}
    for start in range(16):
        text = [start, start, *greedy_tokens(weights, start, 24)]
        for (first, second), (_, third) in pairwise(pairwise(text)):
            followers.setdefault((first, second), []).append(third)
    bigram = table_choices(make_table(kind, weights, 0.0, 1))
    for first in range(16):
        for second in range(16):
            seen = followers.get((first, second))
            wanted = min(set(seen), key=lambda token: (-seen.count(token), token)) if seen else bigram[second]
            assert draft.next_token((first, second)) == wanted
    assert len(draft.entries) == 256


def test_an_unknown_host_draft_lists_the_known():
    with pytest.raises(ValueError, match="'oracle': choose one of trigram, suffix"):
        make_host_draft("oracle", "structured", make_target("structured", 1))


GOOD = {"vocabulary": 4, "order": 1, "next": [2, 3, 1, 0]}


@pytest.mark.parametrize("name", ["draft.json", "draft.yaml"])
def test_a_draft_file_in_json_and_yaml(name, tmp_path):
    path = tmp_path / name
    path.write_text(json.dumps(GOOD))
    assert read_draft(path, 4) == TableDraft(1, 4, (2, 3, 1, 0))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (json.dumps(GOOD | {"vocabulary": 5, "next": [0] * 5}), "a draft of 5 tokens, but .* vocabulary has 4"),
        (json.dumps(GOOD | {"order": 2}), r"4 entries: expected 4 \*\* 2 = 16"),
        (json.dumps(GOOD | {"order": 3}), "order: Input should be less than or equal to 2"),
        (json.dumps(GOOD | {"order": True}), "order: .*integer"),
        (json.dumps(GOOD | {"order": 1.0}), "order: .*integer"),
        (json.dumps(GOOD)[:-1] + ', "order": 1}', "'order' occurs twice"),
        ("[2, 3, 1, 0]", "expected a mapping with vocabulary, order and next"),
        (json.dumps(GOOD | {"next": [2, 3, 4, 0]}), r"next\[2\] is 4: expected 0 to 3"),
        (json.dumps(GOOD | {"next": [2, 3, -1, 0]}), r"next\[2\] is -1"),
        (json.dumps(GOOD | {"next": [2, True, 1, 0]}), "next.1: .*integer"),
        (json.dumps(GOOD | {"next": [2, 1.0, 1, 0]}), "next.1: .*integer"),
        (json.dumps(GOOD | {"noise": 1}), "noise: Extra inputs"),
        (json.dumps({"vocabulary": 4, "order": 1}), "next: Field required"),
        (json.dumps(GOOD | {"vocabulary": 10**9}), "vocabulary: .*1024"),
        ("[1, 2]", "expected a mapping"),
        ("", "expected a mapping"),
        ("a: [", "no YAML"),
        ("x: 2001-99-99", "no YAML"),
        ("[" * 1500, "no YAML|nested too deeply"),
    ],
)
def test_a_bad_draft_file_is_one_line_that_names_it(text, words, tmp_path):
    path = tmp_path / "draft.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"draft.yaml: .*({words})") as error:
        read_draft(path, 4)
    assert len(str(error.value).splitlines()) == 1


def test_a_draft_file_that_is_no_text(tmp_path):
    (tmp_path / "draft.yaml").write_bytes(b"\xff\xfe")
    for name, words in (("draft.yaml", "not UTF-8"), ("none.yaml", "No such file"), ("none.json", "No such file")):
        with pytest.raises(ValueError, match=words):
            read_draft(tmp_path / name, 4)


@pytest.mark.parametrize("name", ["draft.yaml", "draft.json"])
def test_a_draft_file_that_is_a_pipe_or_too_large_is_not_read(name, tmp_path):
    """Reading a pipe that nobody writes to would wait for ever."""
    path = tmp_path / name
    os.mkfifo(path)
    with pytest.raises(ValueError, match=f"{name}: a pipe or a device"):
        read_draft(path, 4)
    path.unlink()
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(ValueError, match=f"{name}: 16,777,217 bytes"):
        read_draft(path, 4)


def test_a_key_that_repeats_in_json_is_told(tmp_path):
    (tmp_path / "draft.json").write_text(json.dumps(GOOD)[:-1] + ', "order": 1}')
    with pytest.raises(ValueError, match="draft.json: .*'order' occurs twice"):
        read_draft(tmp_path / "draft.json", 4)


RECORDED = list(csv.DictReader((SPEC_DIR / "recorded" / "bigram_runs.csv").open()))


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: f"k{row['k']}")
def test_the_recorded_counts_of_the_bigram_in_float(row):
    weights = make_target(row["target"], int(row["seed"]))
    table = make_table(row["target"], weights, 0.0, 1)
    books = run_sync(play(FloatPlayer(weights, table), k=int(row["k"]), start=0, tokens=int(row["tokens"]))).ledger
    assert (books.accepted, books.proposed, books.blocks) == tuple(
        int(row[name]) for name in ("accepted", "proposed", "blocks")
    )


@pytest.mark.parametrize(("target", "seed", "draft", "k"), [("random", 147, "table", 3), ("sharp", 107, "matmul", 2)])
def test_the_comparison_is_what_the_golden_device_runs(target, seed, draft, k):
    """Counts, cycles and text of a played run are those of the compiled programs."""
    session = build_session(runs.CONFIG, target, seed, draft)
    device = GoldenDevice(session.config)
    seen = run_sync(decode(device, session, k=k, start=0, tokens=runs.TOKENS))
    point = runs.compared(target, seed, draft).points[k - 1]
    assert (seen.accepted, seen.proposed, seen.blocks) == (point.accepted, point.proposed, point.blocks)
    assert seen.cycles == point.cycles
    assert tuple(seen.tokens) == runs.plain_text(target, seed, runs.TOKENS + 7)[: runs.TOKENS + 1]
    assert SeparateCosts(session).cycles(k, 20) == runs.costs_of(draft).cycles(k, 20)


def test_the_formula():
    costs = runs.costs_of("trigram")
    for chance, k, tokens in ((1.0, 3, 4), (0.5, 2, 1.75), (0.0, 1, 1)):
        blocks = sum(costs.cycles(k, at) for at in range(32))
        assert runs.predicted_speedup(costs, chance, k) == pytest.approx(tokens * costs.plain(32) / blocks)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 15), min_size=16, max_size=16), st.integers(0, 15))
def test_the_host_says_what_the_chips_table_says(choices, start):
    draft, token = bigram_of(choices), start
    for guess in draft.propose((start,), 5):
        assert guess == choices[token]
        token = guess


@pytest.mark.parametrize(("command", "arguments"), [("drafts", ("--csv", "/nowhere/at.csv")),
                                                    ("drafts", ("--csv", "one.svg", "--plot", "one.svg")),
                                                    ("drafts", ("--plot", "at.png")), ("adaptive-k", ("--plot", "at")),
                                                    ("adaptive-k", ("--plot", "/nowhere/at.svg"))])
def test_a_file_that_cannot_be_written_is_named_before_any_work(command, arguments, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["ga2", command, *arguments])
    monkeypatch.setattr("ga2.cli.drafts.compared", None)
    monkeypatch.setattr("ga2.cli.adaptive.by_noise", None)
    assert main._run() == 2
    assert arguments[-1] in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_drafts_command_prints_and_writes_the_comparison(monkeypatch, capsys, tmp_path):
    """On one target, to be quick: the table, the CSV and the picture's file."""
    monkeypatch.setattr("ga2.drafts.runs.TARGETS", (("random", 30),))
    monkeypatch.setattr("ga2.cli.drafts.TARGETS", (("random", 30),))
    path = tmp_path / "drafts.csv"
    monkeypatch.setattr("sys.argv", ["ga2", "drafts", "--csv", str(path)])
    assert main._run() == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("matmul (chip)", "table (chip)", "trigram (host)", "suffix (host)"))
    rows = list(csv.DictReader(path.open()))
    assert len(rows) == 24 and {row["draft"] for row in rows} == set(runs.DRAFTS)
    assert all(int(row["proposed"]) == int(row["k"]) * int(row["blocks"]) for row in rows)


def test_a_right_draft_of_the_rule():
    assert bigram_of([successor(token) for token in range(16)]).propose((0,), 5) == (3, 2, 13, 4, 7)
