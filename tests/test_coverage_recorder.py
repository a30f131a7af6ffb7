# SPDX-License-Identifier: Apache-2.0
"""What is sampled, and what is not: programs that failed, traces that are of another one, programs cut short."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from ga2.coverage.stored import read_counts
from ga2.device.protocol import FaultReport, RunResult
from ga2.golden.interpreter import Outcome
from ga2.golden.memory import Memory
from ga2.spec import load_config
from verif.core.trace_file import Shown
from verif.coverage.context import predicted
from verif.coverage.directed import directed_program
from verif.coverage.recorder import Recorder, TraceError
from verif.env import coverage_collector
from verif.env.coverage_collector import CoverageCollector
from verif.env.program_item import Ending, ProgramItem
from verif.env.program_run import ProgramRun
from verif.env.retirement import expected_retirements
from verif.programs.program import IMAGE_ADDRESS, MEMORY_BYTES, Program

NANO = load_config("nano")
PROGRAM = directed_program(NANO, "windows")


def played(recorder: Recorder, program: Program = PROGRAM) -> tuple[object, Outcome, list[Shown]]:
    """A golden core that has run the program, how it ended, and the trace that a right core would show."""
    core, memory = recorder.core(), Memory(MEMORY_BYTES)
    for address, data in [*program.memory.items(), (IMAGE_ADDRESS, program.image.memory_bytes())]:
        memory.write(address, data)
    core.load_image(memory, IMAGE_ADDRESS, len(program.image.instructions), len(program.image.constants))
    outcome = core.run(memory, program.windows, 0, program.length, program.m)
    freed = [event.freed for event in predicted(NANO, outcome.resolved)]
    cycles = [100 + cycle for cycle in (*freed, freed[-1] + 3)]
    return core, outcome, [Shown(at, record) for at, record in zip(cycles, expected_retirements(outcome), strict=True)]


def hit(recorder: Recorder) -> set[str]:
    assert recorder.database is not None
    return {name for name, count in recorder.database.counts().items() if count}


def test_a_program_that_passed_is_sampled(tmp_path: Path) -> None:
    recorder = Recorder(NANO, tmp_path)
    recorder.passed(*played(recorder), timed=True)
    found = hit(recorder)
    assert {"opcode/work/LDG", "opcode/no_op/SM no rows", "burst/window/ST 3", "run/after/power-up then HALT"} <= found
    path = recorder.save()
    assert path is not None and read_counts(path)["opcode/work"]["LDG"] == 1
    assert list(tmp_path.iterdir()) == [path]


def test_only_what_the_core_showed_is_sampled(tmp_path: Path) -> None:
    recorder = Recorder(NANO, tmp_path)
    core, outcome, shown = played(recorder)
    first = next(at for at, each in enumerate(shown) if each.record.op == "LDG" and outcome.resolved[at].op)
    recorder.passed(core, outcome, shown[:first], timed=True)
    assert "opcode/work/LDG" not in hit(recorder) and "opcode/work/LD" in hit(recorder)


@pytest.mark.parametrize("spoil", [{"pc": 99}, {"op": "MM"}, {"seq": 9999}])
def test_a_trace_of_another_program_is_refused(tmp_path: Path, spoil: dict) -> None:
    recorder = Recorder(NANO, tmp_path)
    core, outcome, shown = played(recorder)
    shown[5] = replace(shown[5], record=replace(shown[5].record, **spoil))
    with pytest.raises(TraceError):
        recorder.passed(core, outcome, shown, timed=True)
    assert not hit(recorder)


def test_a_retirement_in_another_cycle_is_noticed(tmp_path: Path) -> None:
    recorder = Recorder(NANO, tmp_path)
    core, outcome, shown = played(recorder)
    shown[7] = replace(shown[7], cycle=shown[7].cycle + 1)
    with pytest.raises(TraceError, match="record 7 came"):
        recorder.passed(core, outcome, shown, timed=True)
    recorder.passed(core, outcome, shown, timed=False)
    assert not any(name.startswith(("pair/hazard", "stall/", "window/")) for name in hit(recorder))


def test_a_program_that_was_cut_short_counts_as_that_alone(tmp_path: Path) -> None:
    recorder = Recorder(NANO, tmp_path)
    core, outcome, shown = played(recorder)
    recorder.stopped(core, FaultReport("abort", 3, 0), shown[:3], len(shown))  # type: ignore[arg-type]  # a stand-in
    assert hit(recorder) == {"fault/imprecise/abort running", "run/cut/abort some retired"}


def test_off_without_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GA2_COVERAGE", raising=False)
    recorder = Recorder.from_environment(NANO)
    recorder.passed(*played(recorder), timed=True)
    assert not recorder.on and recorder.save() is None


def collector(folder: Path, judges: list[SimpleNamespace]) -> CoverageCollector:
    """A collector outside of any environment."""
    made = object.__new__(CoverageCollector)
    made.recorder = Recorder(NANO, folder)
    made.core, made.memory = made.recorder.core(), Memory(MEMORY_BYTES)
    made._outcome, made._run, made._shown = None, None, []
    made._judges, made._mismatches = judges, 0  # type: ignore[assignment]  # a stand-in
    return made


@pytest.mark.parametrize("mismatch", [False, True])
def test_the_collector_asks_the_scoreboards(tmp_path: Path, mismatch: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = SimpleNamespace(mismatches=[])
    made = collector(tmp_path, [judge])
    now = {"cycle": 0}
    monkeypatch.setattr(coverage_collector, "get_sim_time", lambda _unit: now["cycle"] * coverage_collector.CLOCK_NS)
    item = ProgramItem(PROGRAM)
    made._load(item)
    for shown in played(made.recorder)[2]:
        now["cycle"] = shown.cycle
        made._retire(shown.record)
    made._end(ProgramRun(item, RunResult({}), None))  # type: ignore[arg-type]  # a stand-in
    if mismatch:
        judge.mismatches.append("a byte differs")  # by a scoreboard that is told after the collector
    made.final_phase()
    (path,) = tmp_path.iterdir()
    assert any(sum(bins.values()) for bins in read_counts(path).values()) != mismatch


def test_after_a_mismatch_the_next_program_counts_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = SimpleNamespace(mismatches=["long ago"])
    made = collector(tmp_path, [judge])
    monkeypatch.setattr(coverage_collector, "get_sim_time", lambda _unit: 0)
    made._load(ProgramItem(PROGRAM))
    made._end(ProgramRun(ProgramItem(PROGRAM, Ending.RESET, 5), None, None))  # type: ignore[arg-type]  # a stand-in
    made._sample()
    assert "run/cut/reset nothing retired" in hit(made.recorder)
