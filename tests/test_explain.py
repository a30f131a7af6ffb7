# SPDX-License-Identifier: Apache-2.0
"""`ga2 explain`: what it says of cycles and waits follows from the timing model, for any program."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ga2.cli.main import app
from ga2.explain.subject import ExplainError, compiled, from_file
from ga2.explain.waits import DATA, PLACE, PORT, UNIT, WINDOW, waits
from ga2.golden.resolve import Resolved, State, overlaps, resolve
from ga2.spec import CONFIG_NAMES, load_config
from ga2.stimulus import build_session
from ga2.timing.model import timeline
from verif.programs.draw import random_program

SPLIT = """\
.config nano
.entry first
LD rows=1 words=8 dst=[0:8] ext=win0[0:8]
ST rows=1 words=8 src=[0:8] ext=win1[0:8]
HALT
.entry second
LD rows=LEN words=8 dst=[0:8] ext=win0[0:8]
HALT
"""


def text_file(folder: Path, text: str) -> Path:
    path = folder / "program.s"
    path.write_text(text)
    return path


@settings(deadline=None)
@given(config=st.sampled_from(CONFIG_NAMES), seed=st.integers(0, 1 << 32))
def test_waits_account_for_every_cycle_before_an_instruction_starts(config: str, seed: int) -> None:
    core = load_config(config)
    program = random_program(core, seed, "short" if seed % 2 else "base")
    state = State(program.length, program.m, program.windows)
    resolved = [resolve(word, pc, core, state) for pc, word in enumerate(program.image.instructions)]
    run = [each for each in resolved if isinstance(each, Resolved)]
    events = timeline(core, run).events
    for index, event in enumerate(events):
        found = {wait.kind: wait for wait in waits(events, index, core)}
        entered = 3 if event.resolved.no_op else event.resolved.operand_count + 4
        window = found[WINDOW].cycles if WINDOW in found else 0
        assert event.allocated == event.decoded + entered + window
        if WINDOW in found:
            assert event.allocated == events[found[WINDOW].pc].freed + 1
        if event.resolved.no_op:
            assert set(found) <= {WINDOW}
            continue
        rest = [wait for kind, wait in found.items() if kind != WINDOW]
        assert event.start == event.allocated + 1 + sum(wait.cycles for wait in rest)
        for wait in rest:
            old = events[wait.pc]
            assert wait.pc < index and wait.cycles > 0
            if wait.kind == DATA and not (event.resolved.ext and old.resolved.ext):
                assert any(overlaps(a, b) for a in event.resolved.reads for b in old.resolved.writes)
            elif wait.kind in (PLACE, PORT):
                assert event.waits == old.end
            elif wait.kind == UNIT:
                assert event.unit == old.unit


def test_the_tiny_models_target_says_what_it_computes_and_how_long_it_takes() -> None:
    subject = compiled(build_session("nano").model, "target", 12, 1)
    line = timeline(subject.config, subject.resolved(12, 1))
    shown = CliRunner().invoke(app, ["explain", "target", "--len", "12"])
    assert shown.exit_code == 0, shown.output
    assert f"{line.finish + 1} cycles" in shown.output.splitlines()[0]
    for text in ("MM h = x + attention.Wo[0:4]", "AMAX choice = argmax(logits)", "data of", "probabilities.rm"):
        assert text in shown.output
    places = {place.name: place for place in subject.places}
    assert places["keys"].hi - places["keys"].lo == 13 * 4


def test_a_program_that_faults_is_named_with_its_fault() -> None:
    subject = compiled(build_session("nano").model, "target", 0, 16)
    assert subject.resolved(subject.config.max_len - 16, 16)
    with pytest.raises(ExplainError, match="and M 16: fault len_m: M is at most 16, LEN . M at most 320"):
        subject.resolved(subject.config.max_len - 15, 16)


def test_a_file_needs_an_entry_where_it_has_several(tmp_path: Path) -> None:
    path = text_file(tmp_path, SPLIT)
    with pytest.raises(ExplainError, match="choose one with --entry"):
        from_file(path, None)
    with pytest.raises(ExplainError, match="no entry 'third': there are first, second"):
        from_file(path, "third")
    assert [each.instruction.op for each in from_file(path, "first").resolved(0, 0)] == ["LD", "ST", "HALT"]
    second = from_file(path, "second").resolved(0, 0)
    assert [each.pc for each in second] == [3, 4] and second[0].no_op


def test_a_program_without_halt_is_refused(tmp_path: Path) -> None:
    path = text_file(tmp_path, ".config nano\nLD rows=0 words=1 dst=[0:1] ext=win0[0:1]\n")
    with pytest.raises(ExplainError, match="no HALT before the image's end, pc 1"):
        subject = from_file(path, None)
        subject.resolved(0, 0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nosuch"], "no program 'nosuch': there are target"),
        (["no/such.s"], "no such file"),
        (["matmul_block_15"], "find no place in the 4096 words of nano"),
        (["target", "--config", "huge"], "unknown configuration 'huge'"),
        (["target", "--len", "9999"], "fault len_m"),
        (["target", "--entry", "draft_table"], "--entry chooses among the programs of a file"),
        (["target", "--plot", "no/such/folder.png"], "cannot write no/such/folder.png"),
    ],
)
def test_wrong_arguments_are_told(arguments: list[str], says: str) -> None:
    shown = CliRunner().invoke(app, ["explain", *arguments])
    assert shown.exit_code != 0 and says in str(shown.exception)


def test_a_block_is_compiled_when_it_is_asked_for() -> None:
    shown = CliRunner().invoke(app, ["explain", "table_block_2", "--m", "3", "--config", "base"])
    assert shown.exit_code == 0 and shown.output.startswith("table_block_2 on base, LEN = 12, M = 3:")
    assert "LDG x_2 = E[guess_1]" in shown.output


def test_the_picture_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "timeline.png"
    shown = CliRunner().invoke(app, ["explain", "draft_table", "--m", "3", "--plot", str(path)])
    assert shown.exit_code == 0, shown.output
    assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
