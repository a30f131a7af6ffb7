# SPDX-License-Identifier: Apache-2.0
"""The locator without a simulator: event logs made from the golden model's own run, each spoilt in one place."""

import pickle
import re
from pathlib import Path

import pytest

from ga2.golden.hazards import depends
from ga2.golden.interpreter import Outcome
from ga2.isa.image import Image
from ga2.sim.follow_up import SWITCH, ended, follow_up
from ga2.spec import ISA, load_config
from ga2.timing.model import timeline
from ga2.timing.ops import MmOp, StOp
from verif.locate import hang
from verif.locate.divergence import EXTERNAL, divergences, first_late, lost_hazards, position
from verif.locate.events import EventLog, ProgramEvents
from verif.locate.failed_program import FailedProgram
from verif.locate.report import located
from verif.programs.draw import random_program

CONFIG = load_config("nano")
FAILED = FailedProgram(CONFIG, random_program(CONFIG, 101))
OUTCOME = FAILED.meaning()


def golden_lines(outcome: Outcome) -> list[str]:
    """The log of a core that does everything right: a line an event, its cycle in front."""
    lines: list[tuple[int, int, str]] = []
    retired = {each.pc: each for each in outcome.retirements}
    events = timeline(CONFIG, outcome.resolved).events
    for event in events:
        pc, unit = event.resolved.pc, ISA.units[event.resolved.unit]
        writes = retired[pc].writes
        assert writes is not None
        if event.resolved.op is not None:
            lines.append((event.start, 0, f"i {unit} {pc}"))
            for word, data in writes.words.items():
                lines.append((event.end, 1, f"w {unit} {word:04x} {data[::-1].hex()}"))
            for address, data in writes.external:
                lines.append((event.start + 2, 0, f"m 4 {pc} {address:08x} {len(data) // CONFIG.cols:03x}"))
                beats = [data[at : at + CONFIG.bus_bytes] for at in range(0, len(data), CONFIG.bus_bytes)]
                lines += [(event.start + 4, 1, f"b {beat[::-1].hex()} f") for beat in beats]
            lines.append((event.end, 2, f"d {unit} {pc}"))
        lines.append((event.freed, 3, f"t {pc} {ISA.instructions[retired[pc].op].opcode} 0"))
    return [f"@ {cycle}\n{text}" for cycle, _, text in sorted(lines, key=lambda line: line[:2])]


def read(lines: list[str], folder: Path) -> ProgramEvents:
    path = folder / "events.txt"
    path.write_text("\n".join(["p 100", *lines]) + "\n")
    events = EventLog(CONFIG.bus_bytes, CONFIG.cols, path).poll()
    assert events is not None
    events.settle()
    return events


def last(kind: type):
    """The last instruction of a kind of operation that really does something."""
    return [each for each in OUTCOME.resolved if isinstance(each.op, kind)][-1]


def spoil(lines: list[str], pattern: str, change) -> list[str]:
    """Change the last line that matches."""
    at = [index for index, line in enumerate(lines) if re.search(pattern, line)][-1]
    return [*lines[:at], *change(lines[at]), *lines[at + 1 :]]


def flipped(line: str) -> list[str]:
    """The lowest bit of a write's data."""
    return [line[:-1] + format(int(line[-1], 16) ^ 1, "x")]


def test_a_right_log_has_no_divergence(tmp_path: Path) -> None:
    events = read(golden_lines(OUTCOME), tmp_path)
    assert not divergences(OUTCOME, events, CONFIG)
    assert not lost_hazards(OUTCOME, events, CONFIG)
    assert first_late(timeline(CONFIG, OUTCOME.resolved), events) is None
    assert not events.unclaimed()
    assert "every byte is right" in located(FAILED, OUTCOME, events)[0]


def test_a_wrong_byte_is_named_with_row_column_and_cycle(tmp_path: Path) -> None:
    product = last(MmOp)
    out, end = product.operand("out"), timeline(CONFIG, OUTCOME.resolved).events[product.pc].end
    word = out.start + (out.rows - 1) * out.pitch
    lines = spoil(golden_lines(OUTCOME), rf"@ {end}\nw 1 {word:04x}", flipped)
    (found,) = divergences(OUTCOME, read(lines, tmp_path), CONFIG)
    assert (found.pc, found.first.cycle, found.first.address) == (product.pc, end, word * CONFIG.cols)
    place = position(product, found.first, CONFIG)
    assert place is not None and (place.operand, place.row, place.column) == ("out", out.rows - 1, 0)
    assert int(found.first.golden) ^ int(found.first.rtl) == 1
    text = "\n".join(located(FAILED, OUTCOME, read(lines, tmp_path)))
    assert f"pc {product.pc}  MM" in text and f"out, row {out.rows - 1}, column 0" in text and f"cycle {end}" in text


@pytest.mark.parametrize(
    ("change", "golden", "rtl"),
    [
        (lambda line: [], int, type(None)),
        (lambda line: [re.sub(r"w 1 \w+", "w 1 0fff", line)], int, type(None)),
        (lambda line: [line[:-1] + "x"], int, str),
    ],
    ids=["never written", "written elsewhere", "an x"],
)
def test_missing_misplaced_and_unknown_words(change, golden: type, rtl: type, tmp_path: Path) -> None:
    lines = spoil(golden_lines(OUTCOME), "\nw 1 ", change)
    (found,) = divergences(OUTCOME, read(lines, tmp_path), CONFIG)
    assert any(isinstance(each.golden, golden) and isinstance(each.rtl, rtl) for each in found.wrong)


def test_a_strobe_too_few_is_a_byte_of_the_store(tmp_path: Path) -> None:
    store = last(StOp)
    lines = spoil(golden_lines(OUTCOME), r"\nb \w+ f$", lambda line: [line[:-1] + "e"])
    (found,) = divergences(OUTCOME, read(lines, tmp_path), CONFIG)
    assert (found.pc, found.first.where, found.first.rtl) == (store.pc, EXTERNAL, None)
    place = position(store, found.first, CONFIG)
    assert place is not None and place.operand == "ext"


def test_a_write_for_nobody_is_unclaimed(tmp_path: Path) -> None:
    done = timeline(CONFIG, OUTCOME.resolved).finish
    assert [write.word for write in _unsettled([*golden_lines(OUTCOME), f"@ {done}\nw 2 0123 00000000"], tmp_path)]
    (stray,) = divergences(OUTCOME, read([*golden_lines(OUTCOME), f"@ {done}\nw 2 0123 00000000"], tmp_path), CONFIG)
    assert stray.pc == -1 and stray.resolved is None


def _unsettled(lines: list[str], folder: Path):
    path = folder / "unsettled.txt"
    path.write_text("\n".join(["p 100", *lines]) + "\n")
    events = EventLog(CONFIG.bus_bytes, CONFIG.cols, path).poll()
    assert events is not None
    return events.unclaimed()


def test_a_lost_hazard_names_both(tmp_path: Path) -> None:
    """A dependent instruction that starts as soon as the older one has."""
    events = timeline(CONFIG, OUTCOME.resolved).events
    older, younger = next(
        (one, other)
        for at, other in enumerate(events)
        for one in events[max(0, at - 3) : at]
        if one.resolved.op and other.resolved.op and one.end > one.start + 2 and depends(other.resolved, one.resolved)
    )
    unit, pc = ISA.units[younger.resolved.unit], younger.resolved.pc
    lines = [line for line in golden_lines(OUTCOME) if not line.endswith(f"\ni {unit} {pc}")]
    at = next(index for index, line in enumerate(lines) if line.endswith(f" {older.resolved.pc}") and "\ni " in line)
    lines.insert(at + 1, f"@ {older.end}\ni {unit} {pc}")
    found = lost_hazards(OUTCOME, read(lines, tmp_path), CONFIG)
    assert (found[0].pc, found[0].older_pc) == (pc, older.resolved.pc)


def test_a_late_instruction_is_named(tmp_path: Path) -> None:
    product = last(MmOp)
    end = timeline(CONFIG, OUTCOME.resolved).events[product.pc].end
    later = f"@ {end + 1}\nd 1 {product.pc}"
    lines = spoil(golden_lines(OUTCOME), rf"\nd 1 {product.pc}$", lambda line: [later])
    late = first_late(timeline(CONFIG, OUTCOME.resolved), read(lines, tmp_path))
    assert late is not None and (late.pc, late.golden[1], late.rtl[1]) == (product.pc, end, end + 1)


def test_a_failed_program_survives_its_folder(tmp_path: Path) -> None:
    FAILED.save(tmp_path / "one")
    again = FailedProgram.load(tmp_path / "one")
    assert again == FAILED
    assert [each.writes for each in again.meaning().retirements] == [each.writes for each in OUTCOME.retirements]
    (tmp_path / "one" / "program.json").write_text("{}")
    with pytest.raises(ValueError, match="holds no failed program"):
        FailedProgram.load(tmp_path / "one")


UNITS = "\n".join(f"unit number={number} queued=0 head=0 ready=1 busy=0" for number in range(5))
STATE = f"""core cycle=77 pc=5 dispatch=5 loading=0 len=3 m=1
slot index=6 oldest=1 pc=0 finished=0 clear=1 deps=0
slot index=7 oldest=0 pc=1 finished=0 clear=0 deps=64
slot index=0 oldest=0 pc=2 finished=1 clear=1 deps=0
{UNITS}
ar valid=1 ready=0 addr=4096
r valid=0 ready=1
aw valid=0 ready=1 addr=0
w valid=0 ready=1
b valid=0 ready=1
load engine=1 bursts=3 addr=256 beat=7 gather=0 stopped=0
store engine=0 bursts=0 addr=0 unread=0 words=0 stopped=0
matrix stepping=0
softmax state=0
"""


def explained(text: str, folder: Path) -> list[str]:
    (folder / "state.txt").write_text(text)
    state = hang.read_state(folder / "state.txt")
    assert state is not None
    load, product = (FAILED.program.image.instructions[pc] for pc in (0, last(MmOp).pc))
    return hang.explain(state, Image("nano", [load, product, load], [], {"main": 0}, {1: "scores"}))


def test_a_hang_says_who_waits_for_what(tmp_path: Path) -> None:
    first, load, product, done = explained(STATE, tmp_path)
    assert first == "cycle 77: dispatch at pc 5 waits for a free slot of the window"
    assert load == (
        "pc 0 LD: the load unit works on it: AR offers a burst at 0x1000 and the memory does not take it; "
        "3 read bursts are unfinished, the oldest at 0x100: its beat 7 has not come"
    )
    assert product == "pc 1 MM (scores): waits for pc 0"
    assert done == "pc 2 LD: done, retires after the older ones"


def test_a_stuck_queue_is_told_from_a_busy_unit(tmp_path: Path) -> None:
    stuck = STATE.replace("unit number=0 queued=0 head=0", "unit number=0 queued=1 head=6")
    assert "first in the load queue, the unit is ready, yet it is not taken in" in explained(stuck, tmp_path)[1]
    busy = stuck.replace("head=6 ready=1", "head=6 ready=0")
    assert "the load unit is not ready" in explained(busy, tmp_path)[1]
    held = STATE.replace("clear=0 deps=64", "clear=0 deps=0")
    assert "nothing that it depends on is in flight" in explained(held, tmp_path)[2]


def test_an_image_load_that_hangs(tmp_path: Path) -> None:
    (line,) = explained(STATE.replace("loading=0", "loading=1"), tmp_path)
    assert line.startswith("cycle 77: an image is being loaded; AR offers a burst")


LOGS = {
    "icarus": "x\nFATAL: /a/ga2_fifo.sv:54: ga2_fifo: push when full\n       Time: {}  Scope: tb.dut.u_queue\n",
    "verilator": "x\n[{}] %Fatal: ga2_fifo.sv:54: Assertion failed in tb.dut.u_queue: ga2_fifo: push when full\n- \n",
}


@pytest.mark.parametrize("log", LOGS.values(), ids=LOGS)
def test_a_program_that_an_assertion_ended(log: str, tmp_path: Path) -> None:
    """The log stops within the last product, one byte of the instruction before is wrong."""
    product = last(MmOp)
    start = timeline(CONFIG, OUTCOME.resolved).events[product.pc].start
    lines = [line for line in golden_lines(OUTCOME) if int(line.split()[1]) <= start]
    lines = spoil(lines, r"\nw 0 ", flipped)
    (tmp_path / "test.log").write_text(log.format((100 + 10 * (start + 1)) * 1000))
    (tmp_path / "events.txt").write_text("\n".join(["p 100", *lines]) + "\n")
    (tmp_path / "under_way.pickle").write_bytes(pickle.dumps((FAILED, 90)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GA2_BUILD_DIR", str(tmp_path / "build"))
        text = ended(tmp_path)
        (kept,) = map(Path, (tmp_path / "located.txt").read_text().splitlines())
    retired = [int(line.split()[-3]) for line in lines if "\nt " in line][-1]
    assert text.startswith(f"{FAILED.title}: ga2_fifo: push when full\ntb.dut.u_queue ended")
    assert f"ended the simulation in cycle {start + 1}\nlast retired, in cycle " in text
    assert f":\n  pc {retired}  " in text.split("last retired")[1]
    assert f"  pc {product.pc}  MM" in text.split("in flight:")[1] and f"taken in in cycle {start}, at work" in text
    assert "first divergence in program order:" in text and "load unit" in text.split("first divergence")[1]
    assert FailedProgram.load(kept).rule == "ga2_fifo: push when full"


def test_an_end_before_the_program_began(tmp_path: Path) -> None:
    """The last events are of the program before."""
    (tmp_path / "test.log").write_text(LOGS["icarus"].format(900_000))
    (tmp_path / "events.txt").write_text("p 100\n")
    assert ended(tmp_path) == ""
    (tmp_path / "under_way.pickle").write_bytes(pickle.dumps((FAILED, 800)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GA2_BUILD_DIR", str(tmp_path / "build"))
        assert "tb.dut.u_queue ended the simulation at 900 ns; no event of the program is logged" in ended(tmp_path)


def test_a_failed_run_is_followed_up_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "1")
    assert follow_up(tmp_path, "icarus") == ""
    (tmp_path / "located.txt").write_text(f"{tmp_path / 'gone'}\n")
    assert "gone holds no failed program" in " ".join(follow_up(tmp_path, "icarus").split())
    monkeypatch.setenv(SWITCH, "0")
    assert follow_up(tmp_path, "icarus") == ""
