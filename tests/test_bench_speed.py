# SPDX-License-Identifier: Apache-2.0
"""The speed bench without a simulator: what is promised holds on the timing model, bounds bound, partitions add up,
and a counter that differs ends the bench with its name and writes nothing."""

import json
from dataclasses import replace

import pytest
import yaml
from pydantic import ValidationError

from ga2.bench.blocks import bound_of, compared
from ga2.bench.measure import Measured, problems, programs
from ga2.bench.plot import svg
from ga2.bench.predict import Spent, predicted, spent
from ga2.bench.promises import AIM, MISSED, MUST, NOT_JUDGED, Promise, judge, load_promises
from ga2.bench.tables import PARTITION, partition_table, promises_table
from ga2.bench.tasks import DECODINGS, PASSES, all_tasks, perform, tasks
from ga2.cli import bench as command
from ga2.cli import main
from ga2.decoding.backends import on_golden
from ga2.decoding.recorded import recorded_runs
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.spec import CONFIG_NAMES, COUNTERS, SPEC_DIR, load_config
from ga2.speculation.chip import DecodeError

PROMISES = load_promises()


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.says)
def test_every_promise_is_kept(promise: Promise) -> None:
    """The cycles are the same every time, so a promise needs no allowance."""
    assert judge(promise, spent).verdict in (AIM, MUST)


def doubled(config: str, task: str) -> Spent:
    """What a core of half the speed would spend; single steps, over which ratios are taken, as they are."""
    seen = spent(config, task)
    slower = 1 if task in ("step", "plain") else 2
    return replace(seen, counters={name: slower * value for name, value in seen.counters.items()})


@pytest.mark.parametrize("promise", [one for one in PROMISES if one.of != "plain"], ids=lambda one: one.says)
def test_a_slower_core_keeps_none(promise: Promise) -> None:
    assert judge(promise, doubled).verdict == MISSED


SPEEDUPS = [one for one in PROMISES if one.of == "plain" and one.over]


@pytest.mark.parametrize("promise", SPEEDUPS, ids=lambda one: one.over)
def test_a_slower_speculation_speeds_up_too_little(promise: Promise) -> None:
    assert judge(promise, doubled).verdict == MISSED


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_blocks_are_the_same_in_fewer_cycles_and_near_no_bound(config: str) -> None:
    for noise in (0.0, 4.0):
        one = compared(config, noise, 3)
        assert one.equal and one.block.programs == one.block.blocks < one.separate.programs
        assert 0 < one.saved < 1 and one.speedup(one.block) > one.speedup(one.separate)
        for form in (one.separate, one.block):
            least = bound_of(config, form)
            assert max(least.bus, least.array) < form.cycles
            assert least.bus == form.counters["read_beats"]


def test_a_slower_plain_step_is_missed_and_excuses_no_speedup() -> None:
    def slow(config: str, task: str) -> Spent:
        seen = spent(config, task)
        return replace(seen, counters={**seen.counters, "total": 2 * seen.cycles})

    verdicts = {promise.of: judge(promise, slow).verdict for promise in PROMISES if promise.config == "nano"}
    assert verdicts["plain"] == NOT_JUDGED  # the speed-up of the table draft is listed last
    plain = next(promise for promise in PROMISES if promise.of == "plain" and promise.figure == "cycles")
    assert judge(plain, slow).verdict == MISSED


def test_the_limits_are_inclusive() -> None:
    plain = PROMISES[0]
    ours = spent("nano", "plain").cycles
    assert judge(plain.model_copy(update={"must": ours}), spent).verdict == MUST
    assert judge(plain.model_copy(update={"must": ours - 1, "aim": ours - 2}), spent).verdict == MISSED
    assert judge(plain.model_copy(update={"aim": ours}), spent).verdict == AIM


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"aim": 33001}, "the aim must be better"),
        ({"of": "planar"}, "the bench of nano runs plain"),
        ({"of": ""}, "the bench of nano runs plain"),
        ({"over": "step"}, "belongs to a ratio"),
        ({"figure": "ratio"}, "belongs to a ratio"),
        ({"recorded": ["structured", 9, 0]}, "no such recorded run"),
        ({"earlier": 1.0}, "exclude each other"),
        ({"config": "huge"}, "unknown configuration"),
        ({"most": 1}, "Extra inputs"),
    ],
)
def test_a_promise_that_means_nothing_is_refused(change: dict, word: str) -> None:
    (sound, *_) = yaml.safe_load((SPEC_DIR / "speed.yaml").read_text())["promises"]
    Promise(**sound)
    with pytest.raises(ValidationError, match=word):
        Promise(**{**sound, **change})


def test_the_earlier_figures_are_the_recorded_ones() -> None:
    rows = {(row.request.target, row.request.k, row.request.noise): row for row in recorded_runs()}
    named = [promise for promise in PROMISES if promise.recorded]
    assert len(named) >= 4
    for promise in named:
        row = rows[promise.recorded]
        assert promise.earlier_figure == (row.cycles if promise.figure == "cycles" else row.speedup)


@pytest.mark.parametrize(("config", "task"), all_tasks())
def test_partition_and_bounds(config: str, task: str) -> None:
    seen = spent(config, task)
    assert len(PARTITION) == 7
    assert sum(seen.counters[counter] for counter in PARTITION) == seen.cycles
    assert 0 < max(seen.bound.bus, seen.bound.array) < seen.cycles and seen.share < 1
    assert seen.bound.array <= seen.counters["part_array"]
    assert seen.bound.bus == seen.counters["read_beats"]  # no program reads a byte more than it must
    for ran in predicted(config, task):
        assert sum(ran.counters[counter] for counter in PARTITION) == ran.counters["total"]


def test_the_bounds_of_plain_decoding_on_nano() -> None:
    """As counted by hand: 2,304 weights, an embedding row, an id, 2 x 16 bytes a cached row; products step by depth."""
    beats = sum((2304 + 16 + 2 * 16 * length) // 4 + 1 for length in range(32))
    steps = sum(9 * 4 * 16 + -(-(length + 1) // 4) * 16 + 4 * (length + 1) for length in range(32))
    bound = spent("nano", "plain").bound
    assert (bound.bus, bound.array) == (beats, steps) == (22560, 22848)


def test_the_layer_is_as_large_as_it_says() -> None:
    bound = spent("base", "layer").bound
    assert bound.weight_bytes == 119808
    assert bound.bus == -(-(119808 + 2 * 64 * 96 + 96) // 16) + 1


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_a_decoding_spends_what_decoding_it_spends(config: str) -> None:
    (outcome,) = on_golden(config, [DECODINGS["speculative"]], lambda *_: None)
    assert spent(config, "speculative").counters == outcome.counters
    assert len(predicted(config, "speculative")) == outcome.programs


def test_every_configuration_is_in_the_tables() -> None:
    rows = {row[:2] for row in partition_table(spent, CONFIG_NAMES).rows}
    assert rows >= {(config, run) for config in CONFIG_NAMES for run in ("plain", "k = 3")}
    made = promises_table(spent, ["base"])
    assert [row[1] for row in made.rows] == ["base"] and "one int8 a word; GA2 packs four" in made.header[2]


def test_the_picture_has_the_same_bytes_every_time() -> None:
    assert svg() == svg()


def measured(config: str) -> dict[str, Measured]:
    """A core that counts as predicted."""
    return {task: Measured(predicted(config, task)) for task in tasks(config)}


def with_counter(config: str, task: str, index: int, name: str, by: int) -> dict[str, Measured]:
    """The same with one counter of one program wrong."""
    seen = list(predicted(config, task))
    seen[index] = replace(seen[index], counters={**seen[index].counters, name: seen[index].counters[name] + by})
    return {**measured(config), task: Measured(tuple(seen))}


def test_a_core_that_counts_as_predicted_has_no_problem() -> None:
    assert problems("nano", measured("nano")) == []


@pytest.mark.parametrize("name", [counter.name for counter in COUNTERS])
def test_any_counter_that_differs_is_named_with_its_program_and_both_values(name: str) -> None:
    wanted = predicted("nano", "speculative")[7]
    (line,) = problems("nano", with_counter("nano", "speculative", 7, name, 1))
    value = wanted.counters[name]
    assert line == f"speculative: {wanted.program} with LEN = 4, M = 4: {name} is {value + 1}, predicted {value}"


def test_a_missing_program_and_a_wrong_byte_are_problems() -> None:
    short = {"plain": Measured(predicted("nano", "plain")[:-1])}
    assert problems("nano", short) == ["plain: 31 programs other than the 32 of the golden model"]
    assert problems("nano", {"guess": Measured(predicted("nano", "guess"), "byte 3")}) == ["guess: byte 3"]


def run(monkeypatch: pytest.MonkeyPatch, tmp_path, *arguments: str) -> int:
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["ga2", "bench", *arguments])
    return main._run()


def summary(tmp_path) -> dict | None:
    path = tmp_path / "bench" / "summary.json"
    return json.loads(path.read_text()) if path.exists() else None


def test_the_summary_holds_the_figures(monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.setattr(command, "measure", lambda config, *_: measured(config))
    assert run(monkeypatch, tmp_path, "--config", "base", "--config", "nano", "--sim", "icarus") == 0
    made = summary(tmp_path)
    assert made["equal_on_rtl"] == {"icarus": {"base": programs("base"), "nano": programs("nano")}}
    assert [one["promise"] for one in made["promises"]] == [promise.says for promise in PROMISES]
    for config in ("nano", "base"):
        assert tuple(made["configurations"][config]["runs"]) == tasks(config)
        for task, ran in made["configurations"][config]["runs"].items():
            assert sum(ran["partition"].values()) == ran["cycles"] == spent(config, task).cycles
    assert f"icarus: {programs('base') + programs('nano')} programs" in capsys.readouterr().out


def test_a_wrong_counter_ends_the_bench_without_a_summary(monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.setattr(command, "measure", lambda config, *_: with_counter(config, "plain", 5, "softmax", -1))
    assert run(monkeypatch, tmp_path, "--config", "wide", "--sim", "verilator") == 1
    value = predicted("wide", "plain")[5].counters["softmax"]
    line = f"wide in verilator: plain: target with LEN = 5, M = 1: softmax is {value - 1}, predicted {value}"
    seen = capsys.readouterr()
    assert line in seen.err and seen.out == ""
    assert summary(tmp_path) is None


def test_a_promise_not_kept_ends_the_bench_with_an_error(monkeypatch, capsys, tmp_path) -> None:
    impossible = (PROMISES[-1].model_copy(update={"must": 0.99, "aim": 0.999}),)
    for module in ("ga2.cli.bench", "ga2.bench.tables", "ga2.bench.summary"):
        monkeypatch.setattr(f"{module}.load_promises", lambda: impossible)
    assert run(monkeypatch, tmp_path, "--config", "base", "--backend", "golden") == 1
    assert f"a promise is not kept: {impossible[0].says}" in capsys.readouterr().err
    made = summary(tmp_path)
    assert made["equal_on_rtl"] == {} and made["promises"][0]["verdict"] == MISSED


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--config", "huge"), "nano, wide, small, base"),
        (("--backend", "fpga"), "golden, rtl"),
        (("--sim", "vcs"), "icarus"),
    ],
)
def test_bad_use_runs_nothing(arguments, word, monkeypatch, capsys, tmp_path) -> None:
    assert run(monkeypatch, tmp_path, *arguments) == 2
    assert word in capsys.readouterr().err
    assert summary(tmp_path) is None


def test_a_task_that_faults_is_named(monkeypatch) -> None:
    monkeypatch.setitem(PASSES, "step", replace(PASSES["step"], length=4000))
    with pytest.raises(DecodeError, match="LEN = 4000, M = 1: fault len_m"):
        run_sync(perform(GoldenDevice(load_config("nano"), 1 << 16), "step"))
