# SPDX-License-Identifier: Apache-2.0
"""The exactness campaign on the golden model: its cases reach what they should, and a portion of them passes."""

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from ga2.cli import exactness as command
from ga2.cli import main
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.exactness import campaign, rule
from ga2.exactness.campaign import Task, Verdict, on_golden
from ga2.exactness.cases import GUESSES, DecodeCase, RowsCase, Setting, draw_case, edge_lengths
from ga2.exactness.models import KINDS, hostile_session
from ga2.exactness.rows import check_rows
from ga2.exactness.rule import rule_tokens
from ga2.exactness.subject import Subject
from ga2.spec import CONFIG_NAMES, load_config
from ga2.timing.bursts import split_row

CASES = {"nano": 16, "wide": 4, "small": 4, "base": 4}
NANO = load_config("nano")


def bytes_only(config):
    return GoldenDevice(config, campaign.MEMORY_BYTES, lambda _config, _outcome: {"total": 1})


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_a_portion_of_the_campaign(config):
    verdicts = on_golden(config, 1, [Task(index) for index in range(CASES[config])], lambda _: None)
    assert [verdict for verdict in verdicts if verdict.problems] == []
    assert all(verdict.programs > 1 and verdict.rows > 0 for verdict in verdicts)


def test_the_rule_on_the_golden_core():
    (verdict,) = on_golden("nano", 0, [Task(6, rule=20)], lambda _: None)
    assert verdict.problems == () and verdict.programs == 20 + 2 * 5


def test_a_token_off_the_rule_is_seen_plainly_and_speculatively(monkeypatch):
    true = rule.successor
    monkeypatch.setattr(rule, "successor", lambda token: true(token) if token != 7 else 0)
    (verdict,) = on_golden("nano", 0, [Task(6, rule=20)], lambda _: None)
    assert any(line.startswith("plain: k of cache row") for line in verdict.problems)
    assert any(line.startswith("k = 3: token") for line in verdict.problems)


def test_rule_tokens():
    assert rule_tokens(0, 5) == [0, 3, 2, 13, 4, 7]
    assert sorted(rule_tokens(9, 15)) == list(range(16))


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_the_cases_reach_every_kind_block_size_and_length(config):
    core = load_config(config)
    cases = [draw_case(core, 0, index) for index in range(500)]
    rows = [case for case in cases if isinstance(case, RowsCase)]
    decodings = [case for case in cases if isinstance(case, DecodeCase)]
    assert {len(case.tokens) for case in rows} == set(range(1, core.m_max + 1))
    assert {case.setting.kind for case in rows} == set(KINDS) == {case.setting.kind for case in decodings}
    assert {case.guesses for case in decodings} == set(GUESSES)
    lengths = {case.setting.length for case in rows}
    assert set(edge_lengths(core)) - lengths <= {core.max_len - 1}
    assert any(case.setting.length + len(case.tokens) == core.max_len for case in rows)
    assert all(case.setting.length + len(case.tokens) <= core.max_len for case in rows)
    assert all(case.setting.length + case.count + case.k + 1 <= core.max_len for case in decodings)
    assert draw_case(core, 0, 7) == draw_case(core, 0, 7) != draw_case(core, 1, 7)


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_the_edges_are_where_a_load_of_the_cache_takes_another_burst(config):
    session = hostile_session(config, "random", 1)
    edges = set(edge_lengths(session.config))
    for name in ("k_cache", "v_cache"):
        symbol = session.model.caches[name]
        bursts = [
            len([*split_row(session.config, symbol.address, length * symbol.pitch // session.config.cols)])
            for length in range(1, session.config.max_len)
        ]
        turns = {length for length, pair in enumerate(zip(bursts, bursts[1:], strict=False), 1) if pair[0] != pair[1]}
        assert turns, "the whole cache is one burst"
        assert turns <= edges, f"{name}: {sorted(turns - edges)}"


@given(
    setting=st.builds(
        Setting,
        kind=st.sampled_from(KINDS),
        model_seed=st.just(1),
        weights=st.sampled_from(["compiled", "uniform", "extreme"]),
        cached=st.sampled_from(["uniform", "extreme", "level"]),
        length=st.integers(0, NANO.max_len - NANO.m_max),
        seed=st.integers(0, 1 << 16),
    ),
    tokens=st.lists(st.integers(0, 15), min_size=1, max_size=NANO.m_max).map(tuple),
    kept=st.integers(0, NANO.m_max - 1),
)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_any_block_of_any_model(setting, tokens, kept):
    device = bytes_only(NANO)
    case = RowsCase(setting, tokens, min(kept, len(tokens) - 1))
    assert run_sync(check_rows(Subject(device, device), case)) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--config", "huge"), ("huge", "nano, wide, small, base")),
        (("--part", "sleep"), ("sleep", "golden, rtl, rule")),
        (("--sim", "vcs"), ("vcs", "icarus, verilator")),
        (("--part", "rule", "--only", "16"), ("0 to 15",)),
        (("--rule-tokens", "321", "--config", "nano"), ("1 to 320",)),
        (("--cases", "0"), ("--cases",)),
    ],
)
def test_bad_use_is_refused_in_one_line(arguments, words, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["ga2", "exactness", *arguments])
    assert main._run() == 2
    seen = capsys.readouterr()
    assert seen.out == "" and len(seen.err.strip().splitlines()) == 1
    assert all(word in seen.err for word in words), seen.err


def test_a_failure_ends_with_the_command_that_shows_it_again(monkeypatch, capsys):
    verdicts = [Verdict(Task(0), 3, 2, ()), Verdict(Task(1), 3, 0, ("row 2: logits: byte 5 is 1", "b", "c", "d"))]
    monkeypatch.setattr(command, "on_golden", lambda *_: verdicts)
    arguments = ["exactness", "--config", "wide", "--seed", "9", "--part", "golden", "--cases", "2"]
    monkeypatch.setattr("sys.argv", ["ga2", *arguments])
    assert main._run() == 1
    error = capsys.readouterr().err
    assert "ga2: wide golden 1: row 2: logits: byte 5 is 1; b; c; and 1 more" in error
    again = error.split("again: ")[1].strip()
    assert again == ".venv/bin/ga2 exactness --config wide --sim verilator --seed 9 --part golden --only 1"


def test_one_case_alone_is_the_same_case(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["ga2", "exactness", "--config", "nano", "--part", "golden", "--only", "3"])
    assert main._run() == 0
    (row,) = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip().startswith("nano")]
    assert row[:3] == ["nano", "golden", "1"] and row[5] == "0"
