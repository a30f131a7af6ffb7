# SPDX-License-Identifier: Apache-2.0
"""The page of quantisation: what a scale a column promises, that the comparison is real, and that a mistake shows."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capra import Graph, M, constants, fuse, interpret, quantise
from ga2.accuracy import quantisation as page
from ga2.accuracy.quantisation import Prompt, compiled, measure, measured, prompts, weight_errors
from ga2.cli import main
from ga2.cli.quantisation import MOST_PROMPTS
from ga2.models.targets import TARGET_KINDS


@given(st.integers(0, 2**32 - 1), st.floats(-3, 3), st.booleans())
def test_no_columns_step_is_above_the_whole_weights(seed: int, residual_exponent: float, residual: bool) -> None:
    """The bound of a number's error is half its column's step, also where a residual raises the scales."""
    rng = np.random.default_rng(seed)
    graph = Graph("product")
    x = graph.input("x", M, 8)
    weight = rng.normal(size=(8, 6)) * 10.0 ** rng.uniform(-2, 2, 6)
    product = graph.matmul(x, graph.weight("W", weight), name="product")
    if residual:
        product = graph.add(graph.input("r", M, 6), product, name="sum")
    graph.output("out", product)
    ranges = {node.role: 1.0 for node in graph.nodes} | {"r": 10.0**residual_exponent}
    by_column, whole = (quantise([fuse(graph)], ranges, per_column).columns["W"] for per_column in (True, False))
    assert len(set(whole.scales)) == 1
    assert (by_column.scales <= whole.scales).all()
    for made in (by_column, whole):
        assert (np.abs(made.values * made.scales - weight) <= made.scales * 0.500001).all()


@pytest.mark.parametrize("kind", TARGET_KINDS)
def test_the_shipped_weights_lose_no_more_with_a_scale_a_column(kind: str) -> None:
    by_column, whole = weight_errors(kind, True), weight_errors(kind, False)
    assert set(by_column) == {"Wq", "Wk", "Wv", "Wo", "W1", "W2", "Wout", "Wd"}
    for name, error in by_column.items():
        assert error.relative <= whole[name].relative, name
    if kind != "structured":  # whose columns all have one largest magnitude
        assert sum(error.relative < whole[name].relative for name, error in by_column.items()) == len(by_column)


@pytest.mark.parametrize("kind", TARGET_KINDS)
def test_the_targets_logits_are_as_near_as_stated(kind: str) -> None:
    found = measured(kind, "target", True)
    assert found.errors["logits"].relative <= page.STATED_RELATIVE
    assert found.agreement >= page.STATED_AGREEMENT
    assert found.rows == page.PROMPTS * page.BLOCK


def test_the_drafts_choices_survive_a_scale_a_column() -> None:
    for kind in TARGET_KINDS:
        for program in ("draft_matmul", "draft_table"):
            assert measured(kind, program, True).agreement == 1.0, (kind, program)


def test_one_scale_is_really_compiled() -> None:
    """The same instructions on other constants, and the golden core agrees with the graph's interpreter."""
    by_column, whole = compiled("random", True), compiled("random", False)
    operations = [[op.opcode for op in model.programs["target"].ops] for model in (by_column, whole)]
    assert operations[0] == operations[1]
    assert all(len(set(column.scales)) == 1 for column in whole.spec.columns.values())
    assert whole.image.constants != by_column.image.constants
    beside = page._Beside("random", "target", False)
    program, ids = beside.program, np.arange(5)[:, np.newaxis]
    empty = {name: np.zeros((0, 16), np.int8) for name in ("k_cache", "v_cache")}
    expected = interpret(program.graph, whole.spec, {"ids": ids, **empty}, 0, 5)
    found = beside.machine.run("target", {"ids": ids}, 0, 5).tensors
    assert all(np.array_equal(found[name], expected[name]) for name in ("q", "scores", "h", "f", "logits"))


@pytest.fixture
def fresh() -> Iterator[None]:
    """Models are compiled anew, and none of them is kept."""
    compiled.cache_clear()
    yield
    compiled.cache_clear()


def test_constants_of_other_columns_miss_what_is_stated(monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    sound = constants.product_constants
    monkeypatch.setattr("capra.lower.product_constants", lambda *arguments: sound(*arguments)[::-1])
    broken = measure("random", "target", True, count=8)
    assert broken.errors["q"].relative > 5 * measured("random", "target", True).errors["q"].relative
    assert broken.errors["logits"].relative > page.STATED_RELATIVE


def test_a_scale_a_tenth_too_large_misses_what_is_stated(monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    sound = constants.operand_scale
    monkeypatch.setattr("capra.constants.operand_scale", lambda *arguments: 1.1 * sound(*arguments))
    assert measure("structured", "target", True, count=8).errors["logits"].relative > page.STATED_RELATIVE


def test_errors_are_what_they_say() -> None:
    error = page.Error(0.5)
    error.add(np.array([1.0, 2.0]), np.array([1.0, 3.0]))
    error.add(np.array([-1.0, 64.0]), np.array([-1.0, 70.0]))
    assert (error.worst, error.count, error.saturated) == (12.0, 4, 0.25)
    assert error.rms == pytest.approx(np.sqrt((1 + 36) / 4) / 0.5)
    assert error.relative == pytest.approx(np.sqrt((1 + 36) / (1 + 9 + 1 + 4900)))


def test_prompts_are_always_the_same_and_differ_by_seed() -> None:
    assert list(prompts(16)) == list(prompts(16)) != list(prompts(16, seed=2))
    assert {len(each.block) for each in prompts(16)} == {page.BLOCK}
    assert max(len(each.cache) for each in prompts(16)) <= page.LONGEST_CACHE
    assert isinstance(next(prompts(16)), Prompt)


def test_the_command_prints_a_target(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["ga2", "quantisation", "--target", "structured", "--prompts", "2"])
    assert main._run() == 0
    out = capsys.readouterr().out
    assert "draft_matmul" in out and "probabilities" in out and "Wout" in out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--target", "blunt"), "structured, random, sharp"),
        (("--prompts", "0"), f"1 to {MOST_PROMPTS}"),
        (("--seed", "-1"), "0 or more"),
    ],
)
def test_bad_use_is_refused(
    arguments: tuple[str, ...], word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ga2", "quantisation", *arguments])
    assert main._run() == 2
    assert word in capsys.readouterr().err
