# SPDX-License-Identifier: Apache-2.0
"""One block dumped in each simulator: the window, the retirements, the lanes and the files of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from ga2.decoding import Request
from ga2.decoding.backends import MEMORY_BYTES
from ga2.decoding.parts import session_of
from ga2.decoding.request import FORMS
from ga2.spec import ISA, load_config
from ga2.waves.capture import Capture, capture
from ga2.waves.dump import CYCLE_PS, LANES, PROBE, TOP, Dump
from ga2.waves.expected import expected_block
from ga2.waves.facts import problems, retirement_problems
from ga2.waves.report import publish
from ga2.waves.signals import groups

REQUEST = Request(noise=4.0, k=1, tokens=3)
BLOCK = 2
UNITS = ("load", "store", "matrix", "softmax", "vector")


@pytest.mark.parametrize("form", FORMS)
def test_a_block_is_dumped(sim: str, form: str, tmp_path: Path) -> None:
    config, request = load_config("nano"), replace(REQUEST, form=form)
    expected = expected_block(config, session_of(request, config), request, BLOCK, MEMORY_BYTES)
    with capture("nano", sim, request, expected, lambda *_: None) as captured:
        folder = captured.dump.parent
        dump = Dump(captured.dump)
        assert problems(captured, dump) == []
        window_is_the_block(captured, dump, form)
        lanes_are_the_programs(captured, dump)
        a_wrong_retirement_is_seen(captured, dump)
        for group in groups():
            assert [signal.name for signal in group.signals if signal.name not in dump] == []
        written = publish(captured, tmp_path, "block")
    assert not folder.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["block.fst", "block.gtkw", "block.png"]
    assert Dump(written.dump).cycles() == dump.cycles()
    assert f'[dumpfile] "{written.dump}"' in written.save_file.read_text()
    assert written.facts[0] in written.save_file.read_text()
    assert written.picture.read_bytes().startswith(b"\x89PNG")


def window_is_the_block(captured: Capture, dump: Dump, form: str) -> None:
    """From the START of the first program, and not later than one cycle after the last one's interrupt."""
    results = [program["result"] for program in captured.programs]
    first, last = results[0]["start_cycle"], results[-1]["irq_cycle"]
    assert dump.start == first * CYCLE_PS
    assert last * CYCLE_PS < dump.end <= (last + 1) * CYCLE_PS
    assert dump.at(f"{TOP}.dut.start", 0) == 1 and dump.at(f"{TOP}.irq", dump.cycles() - 1) == 1
    assert dump.rises(f"{TOP}.dut.start") == [result["start_cycle"] - first for result in results]
    assert dump.rises(f"{TOP}.irq") == [result["irq_cycle"] - first for result in results]
    names = [(span.text, span.first) for span in dump.spans(f"{PROBE}.program_name")]
    where = f"LEN={captured.expected.length} M={captured.expected.m}"
    verifier = (f"verify {where}", results[-1]["start_cycle"] - first + 1)
    assert names == ([("guess 1", 1), verifier] if form == "separate" else [(f"block {where}", 1)])


def lanes_are_the_programs(captured: Capture, dump: Dump) -> None:
    """Every instruction retires with its text, and its unit's lanes show it in the cycles of the timing model."""
    retired = dump.retirements()
    programs = captured.expected.programs
    assert [each.pc for each in retired] == [resolved.pc for program in programs for resolved in program.resolved]
    assert len(retired) == sum(program["result"]["counters"]["retired"] for program in captured.programs)
    for each in retired:
        assert each.text == captured.texts[each.pc]
        assert each.opcode == ISA.instructions[each.text.split()[0]].opcode

    for unit in UNITS:
        names = [lane for lane in LANES if lane.partition(":")[0] == unit]
        seen = [shown(dump, f"{PROBE}.{LANES[name]}") for name in names]
        assert seen == expected_lanes(captured, dump, unit)[: len(names)], unit
    dispatched = [span.text for span in dump.spans(f"{PROBE}.dispatch")]
    assert dispatched == [captured.texts[each.pc] for each in retired]


def shown(dump: Dump, signal: str) -> dict[int, str]:
    """The text of every cycle that has one."""
    return {cycle: span.text for span in dump.spans(signal) for cycle in range(span.first, span.last)}


def expected_lanes(captured: Capture, dump: Dump, unit: str) -> list[dict[int, str]]:
    """By the timing model: what the unit takes in in each cycle, and the oldest of what it took in before."""
    lanes: list[dict[int, str]] = [{}, {}]
    for start, program in zip(dump.rises(f"{TOP}.dut.start"), captured.expected.programs, strict=True):
        events = [event for event in program.timeline.events if event.unit == unit and event.resolved.op is not None]
        for cycle in range(program.timeline.finish + 1):
            in_hand = [event for event in events if event.start < cycle <= event.end]
            taken = in_hand[-1:] if in_hand and cycle <= in_hand[-1].ready else []
            for lane, group in zip(lanes, (taken, in_hand[: len(in_hand) - len(taken)]), strict=True):
                if group:
                    lane[start + cycle] = captured.texts[group[0].resolved.pc]
    return lanes


def a_wrong_retirement_is_seen(captured: Capture, dump: Dump) -> None:
    """The check that `problems` relies on fails for a program that retires otherwise."""
    program = captured.expected.programs[-1]
    program.timeline.finish += 1
    try:
        (line,) = retirement_problems(captured.expected, dump)
        assert f"pc {program.resolved[-1].pc}: retires in cycle {program.timeline.finish}" in line
        event = program.timeline.events[3]
        program.timeline.events[3] = type(event)(**{**vars(event), "freed": event.freed + 1})
        (line,) = retirement_problems(captured.expected, dump)
        assert f"pc {event.resolved.pc}: retires in cycle {event.freed + 1}" in line
        program.timeline.events[3] = event
    finally:
        program.timeline.finish -= 1
