# SPDX-License-Identifier: Apache-2.0
"""`ga2 mutate`: each operator makes the changes it says, judges kill what is broken and nothing else."""

import ast
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from ga2.cli import main
from ga2.cli import mutate as command
from ga2.mutation import campaign
from ga2.mutation.campaign import BrokenTests, chosen, save, summary
from ga2.mutation.equivalent import equivalents
from ga2.mutation.judge import LISTINGS
from ga2.mutation.mutant import MODULE, Mutant, all_mutants, mutants_of, mutated
from ga2.mutation.operators import OPERATORS
from ga2.mutation.reach import Recorder
from ga2.mutation.stored import Stored, judges
from ga2.mutation.subject import COMPILER, SPECULATION, SUBJECTS, Subject

COUNTED = "affine.py:Affine.__sub__:arithmetic:1"
FIRST, SECOND = judges(COMPILER)[:2]


def made(source: str) -> list[tuple[str, str]]:
    """(operator, the changed source) of every mutant of some source."""
    return [(each.operator, ast.unparse(mutated(source, each))) for each in mutants_of("a.py", source)]


@pytest.mark.parametrize(
    ("source", "operator", "expected"),
    [
        ("x = a < b", "compare", ["x = a <= b"]),
        ("x = a <= b", "compare", ["x = a < b"]),
        ("x = a > b", "compare", ["x = a >= b"]),
        ("x = a >= b", "compare", ["x = a > b"]),
        ("x = a == b", "compare", ["x = a != b"]),
        ("x = a is None", "compare", ["x = a is not None"]),
        ("x = a not in b", "compare", ["x = a in b"]),
        ("x = a < b < c", "compare", ["x = a <= b < c", "x = a < b <= c"]),
        ("x = 7", "constant", ["x = 8"]),
        ("x = a + b", "arithmetic", ["x = a - b"]),
        ("x = a - b", "arithmetic", ["x = a + b"]),
        ("x = a * b", "arithmetic", ["x = a / b"]),
        ("x = a / b", "arithmetic", ["x = a * b"]),
        ("x = a // b", "arithmetic", ["x = a % b"]),
        ("x = a % b", "arithmetic", ["x = a // b"]),
        ("x = a << b", "arithmetic", ["x = a >> b"]),
        ("x = a | b", "arithmetic", ["x = a & b"]),
        ("x = a ** b", "arithmetic", ["x = a * b"]),
        ("x = -a", "arithmetic", ["x = a"]),
        ("x = a and b", "boolean", ["x = a or b"]),
        ("x = True", "boolean", ["x = False"]),
        ("x = not a", "negate", ["x = a"]),
        ("if a:\n    b()", "negate", ["if not a:\n    b()"]),
        ("while a < b:\n    c()", "negate", ["while not a < b:\n    c()"]),
        ("x = a if b else c", "negate", ["x = a if not b else c"]),
        ("x = [a for a in b if a]", "negate", ["x = [a for a in b if not a]"]),
        ("a.append(b)", "removed", ["pass"]),
        ("raise A", "removed", ["pass"]),
        ("a += 1", "removed", ["pass"]),
        ("a.b = c", "removed", ["pass"]),
        ("a[b] = c", "removed", ["pass"]),
        ("a = b\na = c", "removed", ["a = b\npass"]),
        ("for a in b:\n    break", "removed", ["for a in b:\n    pass"]),
        ("def f():\n    return a", "return", ["def f():\n    return None"]),
        ("def f():\n    return a < b", "return", ["def f():\n    return not a < b"]),
    ],
)
def test_each_operator_makes_the_change_it_says(source: str, operator: str, expected: list[str]) -> None:
    assert [changed for name, changed in made(source) if name == operator] == expected


@pytest.mark.parametrize(
    "source",
    ["x: int | None = a", "def f(a: int | None) -> int | None: ...", "'text'", "@d(frozen=True)\nclass A: ...",
     "def f():\n    'text'", "class A:\n    def __init__(self):\n        self.a = b", "x = f'{a:{8}}'", "a = b"],
)  # fmt: skip
def test_what_is_no_behaviour_is_left_alone(source: str) -> None:
    assert made(source) == []


def test_a_condition_is_not_turned_round_twice() -> None:
    assert [operator for operator, _ in made("if a == b:\n    c = d")] == ["compare"]
    assert [operator for operator, _ in made("if not a:\n    c = d")] == ["negate"]


def test_ids_name_function_operator_and_place_and_outlive_edits_elsewhere() -> None:
    source = "x = 1\nclass A:\n  y = 2\n  def f(self):\n    def g():\n      return 3 + 4\n    return g\n"
    found = mutants_of("a.py", source)
    names = {(each.id, each.imported, each.outermost) for each in found if each.operator == "constant"}
    assert names == {("a.py:<module>:constant:1", True, MODULE), ("a.py:A:constant:1", True, "A"),
                     ("a.py:A.f.<locals>.g:constant:1", False, "A.f"),
                     ("a.py:A.f.<locals>.g:constant:2", False, "A.f")}  # fmt: skip
    edited = mutants_of("a.py", f"import z\ndef before():\n    return 1 + 2\n{source}")
    assert {each.id for each in found} <= {each.id for each in edited}


def test_a_coroutine_is_a_function_of_its_own() -> None:
    (found,) = mutants_of("a.py", "class A:\n  async def f(self):\n    return 3")
    assert (found.id, found.imported) == ("a.py:A.f:constant:1", False)


@pytest.mark.parametrize(("subject", "least"), [(COMPILER, 1500), (SPECULATION, 150)], ids=["compiler", "loop"])
def test_every_mutant_changes_its_subject_and_compiles(subject: Subject, least: int) -> None:
    every = all_mutants(subject)
    assert len({each.id for each in every}) == len(every) > least
    assert {each.operator for each in every} == set(OPERATORS)
    sources: dict[str, tuple[str, str]] = {}
    for each in chosen(every, "", 200, 1):
        if each.file not in sources:
            text = (subject.folder / each.file).read_text()
            sources[each.file] = text, ast.dump(ast.parse(text))
        text, whole = sources[each.file]
        tree = mutated(text, each)
        assert ast.dump(tree) != whole, each.id
        compile(tree, each.file, "exec")


def test_a_sample_is_named_by_its_seed() -> None:
    every = all_mutants(COMPILER)
    assert chosen(every, "", 20, 3) == chosen(every, "", 20, 3) != chosen(every, "", 20, 4)
    assert {each.file for each in chosen(every, "emit.py", None, 1)} == {"emit.py"}
    assert chosen(every, "", 20, 3) == chosen(every, "", 40, 3)[:20]
    assert {each.id for each in chosen(every, "", None, 3)} == {each.id for each in every}


def test_judges_kill_a_broken_compiler_and_no_sound_one() -> None:
    """By the listings, by a test, by its time; and the compiler as it is survives all of them."""
    refused = "tests/test_capra_slices.py::test_slices_outside_the_tensor_or_empty_are_refused[0-0]"
    every = all_mutants(COMPILER)
    empty = next(each for each in every if each.function == "_slice_rows" and each.before == "count - 1")
    endless = next(each for each in every if each.file == "affine.py" and each.operator == "negate"
                   and each.before.startswith("while"))  # fmt: skip
    with campaign.workers(COMPILER, 1) as queue:
        worker = queue.get()
        sound = worker.ask({"mutant": "", "tests": {LISTINGS: 3.0, refused: 0.1}})
        assert 0.5 < sound.pop("seconds") and sound == {"status": "survived", "by": "", "says": ""}
        listed = worker.ask({"mutant": COUNTED, "tests": {LISTINGS: 3.0}})
        assert (listed["status"], listed["by"]) == ("killed", LISTINGS)
        tested = worker.ask({"mutant": empty.id, "tests": {refused: 0.1}})
        assert (tested["status"], tested["by"]) == ("killed", refused)
        assert worker.ask({"mutant": endless.id, "tests": {}})["status"] == "survived"  # nobody was asked
        missing = worker.ask({"mutant": "", "tests": {"tests/test_capra_slices.py::test_of_nothing": 0.1}})
        assert missing["status"] == "problem"
        assert worker.ask({"mutant": "", "tests": {refused: 0.1}})["status"] == "survived"


def test_a_mutant_that_never_ends_is_killed_by_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process: what a child does when its time is over."""
    from ga2.mutation import judge as judging

    answers: list[dict[str, Any]] = []

    class Over(Exception):
        pass

    def answer(found: dict[str, Any]) -> None:
        answers.append(found)
        raise Over

    def endless() -> str:
        while True:
            pass

    monkeypatch.setattr(judging, "LISTINGS_LIMIT", 0.05)
    monkeypatch.setattr(judging, "difference", endless)
    with pytest.raises(Over):
        judging.judge(COMPILER, None, {LISTINGS: 3.0}, answer)
    judging._limited(0, lambda: None)
    assert answers[0]["status"] == "timeout" and answers[0]["by"] == LISTINGS


def test_a_cached_value_reaches_what_made_it() -> None:
    recorder = Recorder(COMPILER)
    recorder.names[_made.__code__] = "a.py:made"
    cached = recorder.cached(_made)
    before = sys.gettrace()
    for _ in range(2):
        recorder.stack[-1] = set()
        sys.settrace(recorder.trace)
        try:
            assert cached(4) == 5
        finally:
            sys.settrace(before)
        assert recorder.stack == [{"a.py:made"}]


def _made(value: int) -> int:
    return value + 1


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Stored]:
    """Opens the results anew."""
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    return lambda: Stored(COMPILER)


def test_verdicts_hold_until_compiler_or_judge_changes(store: Callable[[], Stored]) -> None:
    first = store()
    judge = f"{FIRST}::test_a"
    first.keep({"id": "a", "status": "killed", "by": judge, "says": ""})
    first.keep({"id": "b", "status": "survived", "by": "", "says": ""})
    first.keep({"id": "c", "status": "killed", "by": LISTINGS, "says": ""})
    with first.verdicts_path.open("a") as lines:
        lines.write('{"id": "d", "sta')  # an interrupt
    assert set(store().verdicts) == {"a", "b", "c"}
    other = store()
    other.files[FIRST], other.all_judges = "edited", "edited"
    assert [each["id"] for each in other._lines() if other._holds(each)] == ["c"]
    other.sources = "edited"
    assert not [each for each in other._lines() if other._holds(each)]
    assert Stored(COMPILER, fresh=True).verdicts == {}


def test_tests_are_asked_that_reach_the_function_the_quickest_first(store: Callable[[], Stored]) -> None:
    stored = store()
    reaches = {"slow": (5.0, ["a.py:f"]), "quick": (1.0, ["a.py:f", "tune.py:tune"]),
               "other": (0.1, ["tune.py:choose"])}  # fmt: skip
    stored.keep_reach(FIRST, {name: {"seconds": s, "reaches": r} for name, (s, r) in reaches.items()})
    stored.keep_reach(LISTINGS, {LISTINGS: {"seconds": 9.0, "reaches": ["a.py:f"]}})
    assert list(store().tests_for("a.py:f", False)) == [LISTINGS, "quick", "slow"]
    assert list(stored.tests_for("a.py:A", True)) == [LISTINGS, "other", "quick", "slow"]
    assert list(stored.tests_for("tune.py:choose", False)) == ["other", "quick"]
    assert list(stored.tests_for("a.py:h", False)) == []
    many = {f"{SECOND}::test[{at}]": {"seconds": 9.0 - at, "reaches": ["b.py:f"]} for at in range(5)}
    quick = {f"{SECOND}::quick[{at}]": {"seconds": 0.01 * (at + 1), "reaches": ["b.py:f"]} for at in range(5)}
    stored.keep_reach(SECOND, many | quick)
    assert list(stored.tests_for("b.py:f", False)) == [*quick, *(f"{SECOND}::test[{at}]" for at in (4, 3, 2))]


def test_the_summary_counts_equivalents_apart(store: Callable[[], Stored], tmp_path: Path) -> None:
    stored, mutants = store(), all_mutants(COMPILER)[:5]
    for each, status in zip(mutants, ("killed", "timeout", "survived", "survived"), strict=False):
        stored.keep({"id": each.id, "status": status, "by": "", "says": ""})
    found = summary(mutants, stored, {mutants[3].id: "it says nothing"})
    assert (found["total"], found["killed"], found["by_timeout"], found["score"]) == (4, 2, 1, 0.6667)
    assert [each["id"] for each in found["survivors"]] == [mutants[2].id]
    assert found["survivors"][0]["at"] == f"compiler/capra/{mutants[2].file}:{mutants[2].line}"
    assert found["equivalents"][0]["survives"]
    assert json.loads(save(COMPILER, found).read_text()) == found


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_equivalents_exist_and_have_reasons(subject: Subject) -> None:
    assert all(equivalents(all_mutants(subject), subject.equivalents).values())


def test_a_broken_loop_is_killed_and_the_sound_one_is_not() -> None:
    """The worker must not have imported the loop before it is changed."""
    judge = "tests/test_speculation.py::test_worked_example"
    kept = next(each for each in all_mutants(SPECULATION) if each.function == "Block.kept_rows"
                and each.operator == "arithmetic")  # fmt: skip
    with campaign.workers(SPECULATION, 1) as queue:
        worker = queue.get()
        seen = worker.ask({"mutant": kept.id, "tests": {judge: 0.1}})
        assert (seen["status"], seen["by"]) == ("killed", judge)
        assert worker.ask({"mutant": "", "tests": {judge: 0.1}})["status"] == "survived"


def test_results_of_the_two_subjects_lie_apart(store: Callable[[], Stored], tmp_path: Path) -> None:
    loop = Stored(SPECULATION)
    loop.keep({"id": "a", "status": "survived", "by": "", "says": ""})
    assert set(Stored(SPECULATION).verdicts) == {"a"} and store().verdicts == {}
    assert LISTINGS not in loop.files and LISTINGS in store().files
    assert save(SPECULATION, {}) == tmp_path / "mutants" / "speculation_every.json"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"id": "a.py:f:compare:1"}, "no such mutant"),
        ({"before": "another"}, "is gone: now"),
        ({"reason": "none"}, "at least 10"),
        ({"why": "?"}, "Extra inputs"),
    ],
)
def test_an_equivalent_that_is_none_any_more_is_refused(change: dict[str, str], complaint: str, tmp_path: Path) -> None:
    mutant = all_mutants(COMPILER)[0]
    good = {"id": mutant.id, "before": mutant.before, "after": mutant.after, "reason": "nobody can tell"}
    path = tmp_path / "table.yaml"
    path.write_text(yaml.safe_dump([good]))
    assert equivalents(all_mutants(COMPILER), path) == {mutant.id: "nobody can tell"}
    path.write_text(yaml.safe_dump([good | change]))
    with pytest.raises(ValueError, match=complaint):
        equivalents(all_mutants(COMPILER), path)


def test_judges_that_fail_on_the_compiler_as_it_is_are_told(
    store: Callable[[], Stored], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(_subject: Subject, todo: list[str], _jobs: int, _question: object, answered: Callable, _: object) -> None:
        answered(todo[0], {"tests": {}, "failed": ["test_a: assert 1 == 2"]})

    monkeypatch.setattr(campaign, "_all", ask)
    with pytest.raises(BrokenTests, match="does not pass on the compiler as it is: test_a: assert 1 == 2"):
        campaign.learn_reach(store(), 1, lambda _: None)


def test_the_command_keeps_what_is_known_at_an_interrupt(
    store: Callable[[], Stored], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def interrupted(wanted: list[Mutant], stored: Stored, _jobs: int) -> None:
        stored.keep({"id": wanted[0].id, "status": "survived", "by": "", "says": ""})
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_run", interrupted)
    monkeypatch.setattr("sys.argv", ["ga2", "mutate", "--only", "emit.py"])
    assert main._run() == 130
    assert "mutants judged, 0 killed" in capsys.readouterr().out
    assert json.loads((tmp_path / "mutants" / "capra.json").read_text())["total"] == 1
    monkeypatch.setattr(command, "_run", lambda *_: None)
    assert main._run() == 1  # a score of 0
    assert "the score is below 90%" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(("--sample", "0"), "1 to"), (("--jobs", "0"), "1 to 64"), (("--only", "nonsense"), "no mutant has 'nonsense'"),
     (("--over", "rtl"), "choose one of compiler, speculation"), (("--at-least", "nan"), "expected 0 to 1"),
     (("--at-least", "7"), "expected 0 to 1")],
)
def test_bad_use_is_refused(
    arguments: tuple[str, ...], word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ga2", "mutate", *arguments])
    assert main._run() == 2
    assert word in capsys.readouterr().err
