# SPDX-License-Identifier: Apache-2.0
"""The speculation campaign: what its runs cover, that broken loops and cores fail it, and how a failure is told."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ga2.cli import main, speculate
from ga2.exactness import speculation
from ga2.exactness.campaign import Task, Verdict, on_golden
from ga2.exactness.cases import GUESSES, DecodeCase, Setting
from ga2.exactness.models import KINDS
from ga2.exactness.runs import SIZES, draw_run, from_json, smaller, to_json
from ga2.exactness.speculation import entry, failing, play, shrink
from ga2.golden import execute
from ga2.spec import CONFIG_NAMES, load_config
from ga2.speculation import accept, ledger
from ga2.speculation.accept import Block
from ga2.timing.ops import StOp

NANO = load_config("nano")
RUN = DecodeCase(Setting("random", 1, "compiled", "level", 12, 5), 3, 4, "alternating", 9)


def drawn(count: int, sim: str = "golden", config: str = "nano") -> list[DecodeCase]:
    return [draw_run(load_config(config), 0, index, SIZES[sim]) for index in range(count)]


@pytest.mark.parametrize("config", CONFIG_NAMES)
@pytest.mark.parametrize("sim", SIZES)
def test_runs_cover_every_model_kind_of_guess_and_k(sim: str, config: str) -> None:
    runs, size, core = drawn(1500, sim, config), SIZES[sim], load_config(config)
    assert {(run.guesses, run.setting.kind) for run in runs} == {(g, k) for g in GUESSES for k in KINDS}
    assert {(run.guesses, run.k) for run in runs} == {(g, k) for g in GUESSES for k in range(1, size.guesses + 1)}
    assert {run.start for run in runs} == set(range(16))
    assert {run.setting.weights for run in runs} == {"compiled", "uniform", "extreme"}
    assert max(run.count for run in runs) == size.tokens and min(run.count for run in runs) == 1
    lengths = [run.setting.length for run in runs]
    assert 0 in lengths and max(lengths) <= size.length
    assert all(run.setting.length + run.count <= core.max_len for run in runs)
    clipped = [run for run in runs if run.setting.length + run.count + run.k + 1 > core.max_len]
    assert bool(clipped) == (size.length >= core.max_len)


def test_a_run_is_a_function_of_seed_and_index() -> None:
    assert drawn(20) == drawn(20)
    assert draw_run(NANO, 0, 3, SIZES["golden"]) != draw_run(NANO, 1, 3, SIZES["golden"])


def test_a_portion_of_the_campaign() -> None:
    runs = drawn(9)
    verdicts = play("nano", "golden", [Task(index, run=run) for index, run in enumerate(runs)])
    assert [verdict for verdict in verdicts if verdict.problems] == []
    assert [verdict.rows for verdict in verdicts] == [run.count for run in runs]
    made = entry(0, verdicts, 1.0)
    assert made["runs"] == 9 and made["mismatches"] == 0 and made["accepted"] <= made["proposed"]
    assert {made["acceptance"][kind] for kind in ("right", "target")} == {1.0} and made["acceptance"]["wrong"] == 0


@given(
    run=st.builds(
        DecodeCase,
        setting=st.builds(
            Setting,
            kind=st.sampled_from(KINDS),
            model_seed=st.just(1),
            weights=st.sampled_from(["compiled", "extreme"]),
            cached=st.sampled_from(["uniform", "level"]),
            length=st.integers(0, NANO.max_len - 5),
            seed=st.integers(0, 1 << 16),
        ),
        start=st.integers(0, 15),
        k=st.integers(1, 15),
        guesses=st.sampled_from(GUESSES),
        count=st.integers(1, 5),
    )
)
@settings(max_examples=8, deadline=None, derandomize=True)
def test_any_run_of_any_model(run: DecodeCase) -> None:
    (verdict,) = on_golden("nano", 0, [Task(0, run=run)], lambda _: None)
    assert verdict.problems == ()


def test_several_processes_give_the_verdicts_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [Task(index, run=replace(run, count=1, k=1)) for index, run in enumerate(drawn(6))]
    monkeypatch.setattr(speculation, "CHUNK", 2)
    assert play("nano", "golden", tasks, 2) == play("nano", "golden", tasks, 1)


def first_problem(run: DecodeCase) -> str:
    (verdict,) = on_golden("nano", 0, [Task(0, run=run)], lambda _: None)
    return verdict.problems[0] if verdict.problems else ""


def test_a_sound_run_passes() -> None:
    assert first_problem(RUN) == ""


def kept_rows(rows):
    return lambda monkeypatch: monkeypatch.setattr(Block, "kept_rows", property(rows))


def choice_of_the_row_before(monkeypatch):
    emitted = property(lambda b: (*b.guesses[: b.accepted], b.choices[max(b.accepted - 1, 0)]))
    monkeypatch.setattr(Block, "emitted", emitted)


def keys_and_values_of_a_block_not_stored(monkeypatch):
    original = execute.EXECUTE[StOp]

    def store(op, machine):
        original(op if op.rows * op.words < 12 else replace(op, ext_addr=op.ext_addr + 256), machine)

    monkeypatch.setitem(execute.EXECUTE, StOp, store)


def accepted_one_too_few(monkeypatch):
    original = ledger.Ledger.after
    monkeypatch.setattr(
        ledger.Ledger, "after", lambda books, block: replace(original(books, block), accepted=books.accepted)
    )


@pytest.mark.parametrize(
    ("break_it", "says"),
    [
        (kept_rows(lambda b: len(b.rows)), "cache length = emitted"),
        (kept_rows(lambda b: b.accepted), "cache length = emitted"),
        (choice_of_the_row_before, "tokens"),
        (keys_and_values_of_a_block_not_stored, ""),
        (accepted_one_too_few, "emitted = accepted + blocks"),
    ],
)
def test_a_broken_loop_or_core_is_seen(break_it, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    break_it(monkeypatch)
    found = first_problem(RUN)
    assert found and says in found, found


def accepts_none(monkeypatch):
    """A loop whose books agree with themselves, and which verifies in vain."""
    monkeypatch.setattr(accept, "agreeing_prefix", lambda guesses, choices: 0)


@pytest.mark.parametrize("guesses", ["right", "almost", "alternating", "target", "draft"])
def test_a_loop_that_accepts_too_few_is_seen(guesses: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = replace(RUN, guesses=guesses, setting=replace(RUN.setting, kind="structured"))
    assert first_problem(run) == ""
    accepts_none(monkeypatch)
    assert f"0 of {4 * RUN.count} guesses accepted, by the plain tokens" in first_problem(run)


def test_a_failing_run_is_made_small() -> None:
    small = shrink(RUN, lambda runs: [run.k >= 2 and run.setting.length >= 3 for run in runs], 60)
    assert (small.k, small.setting.length, small.count, small.start, small.guesses) == (2, 3, 1, 0, "wrong")
    assert shrink(RUN, lambda runs: [False] * len(runs), 60) == RUN
    assert all(each != RUN for each in smaller(RUN))
    assert list(smaller(DecodeCase(Setting("random", 1, "compiled", "level", 0, 5), 0, 1, "wrong", 1))) == []


def test_shrinking_asks_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    choice_of_the_row_before(monkeypatch)
    small = shrink(RUN, failing("nano", "golden"), 2)
    assert small.count < RUN.count and first_problem(small)


@pytest.mark.parametrize("run", [RUN, *drawn(3)])
def test_json_round_trip(run: DecodeCase) -> None:
    assert from_json(json.loads(json.dumps(to_json(run))), NANO) == run


GOOD = to_json(RUN)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"k": 16}, "k 16: expected 0 to 15"),
        ({"k": "3"}, "numbers must be integers"),
        ({"start": -1}, "start -1: expected 0 to 15"),
        ({"guesses": "lucky"}, "guesses 'lucky': choose one of"),
        ({"count": 309}, "length 12: expected 0 to 11"),
        ({"more": 1}, "no run of the speculation campaign"),
        ({"setting": {}}, "no run of the speculation campaign"),
        ({"setting": GOOD["setting"] | {"kind": "dull"}}, "kind 'dull': choose one of"),
    ],
)
def test_a_file_that_is_no_run_is_refused(
    change: dict, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(GOOD | change))
    monkeypatch.setattr("sys.argv", ["ga2", "speculate", "--sim", "golden", "--case", str(path)])
    assert main._run() == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--config", "huge"), "choose one of nano, wide, small, base"),
        (("--sim", "vcs"), "choose one of golden, icarus, verilator"),
        (("--runs", "0"), "--runs"),
        (("--sim", "golden", "--only", "3", "--case", "x"), "choose one of them"),
        (("--sim", "golden", "--only", "3", "--runs", "3"), "--runs and --only each say"),
        (("--sim", "golden", "--case", "nowhere.json"), "nowhere.json: No such file"),
    ],
)
def test_bad_use_is_refused_in_one_line(
    arguments: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ga2", "speculate", *arguments])
    assert main._run() == 2
    seen = capsys.readouterr()
    assert seen.out == "" and len(seen.err.strip().splitlines()) == 1 and words in seen.err


def test_a_failure_is_kept_small_and_told_with_its_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))

    def judged(_config, _sim, tasks, _jobs=1, _progress=None):
        return [Verdict(task, 9, task.run.count, ("tokens differ",) if task.index == 1 else ()) for task in tasks]

    monkeypatch.setattr(speculate, "play", judged)
    monkeypatch.setattr(speculate, "failing", lambda *_: lambda runs: [run.k == 1 for run in runs])
    monkeypatch.setattr("sys.argv", ["ga2", "speculate", "--sim", "golden", "--runs", "150", "--seed", "7"])
    assert main._run() == 1
    error = capsys.readouterr().err
    again = ".venv/bin/ga2 speculate --config nano --sim golden"
    path = tmp_path / "speculation" / "failures" / "nano-golden-7-1.json"
    assert "nano golden run 1: tokens differ" in error
    assert f"{again} --seed 7 --only 1" in error and f"{again} --case {path}" in error
    assert from_json(json.loads(path.read_text()), NANO).count == 1
    found = json.loads((tmp_path / "speculation" / "summary.json").read_text())
    assert found["mismatches"] == 1 and found["campaigns"]["nano golden"]["failed"] == [1]
    assert found["campaigns"]["nano golden"]["runs"] == 150


def test_a_folder_that_takes_no_results_is_told_before_the_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path / "file"))
    monkeypatch.setattr("sys.argv", ["ga2", "speculate", "--sim", "golden"])
    assert main._run() == 2
    assert "cannot write into" in capsys.readouterr().err


@pytest.mark.parametrize("found", [[], {}, {"setting": 3}, "run"])
def test_what_is_no_run_is_told_in_words(found: Any) -> None:
    with pytest.raises(ValueError, match="expected an object with an object 'setting'"):
        from_json(found, load_config("nano"))
