# SPDX-License-Identifier: Apache-2.0
"""A failed program in words: which instruction first went wrong, in what, when; or who waits for whom.

`report` is what every bench calls when a program on the RTL differs from the golden model:

    failed = FailedProgram(config, program)           # entry="main"; profile=... on the hostile memory
    raise AssertionError(report(failed, "scratchpad byte 0x52d: golden 85, RTL 84"))

It needs no more than that. With the core's events the report names the exact byte and cycle at once:

    await device.log_events()                         # once, before the first program: `ga2.device.rtl.RtlDevice`
    log = EventLog(config.bus_bytes, config.cols)
    ...
    report(failed, difference, events=log.poll())     # the program that was started last

Either way the program is kept under build/locate, and the report's last line is the command that runs it once more, in
a simulation of its own, with the events, and writes a waveform around the place (`verif.locate.rerun`). A hang is
recognised by state.txt, which the testbench writes when the watchdog or an abort ends a program.
"""

from collections.abc import Sequence
from pathlib import Path

from ga2.golden.interpreter import Outcome
from ga2.golden.resolve import Resolved
from ga2.isa.disassembler import format_instruction
from ga2.sim.sources import ROOT
from ga2.spec import Config
from ga2.timing.model import refusal, timeline
from verif.locate import hang
from verif.locate.divergence import (
    EXTERNAL,
    Divergence,
    LostHazard,
    Wrong,
    divergences,
    first_in_time,
    first_late,
    lost_hazards,
    position,
)
from verif.locate.events import NOWHERE, ProgramEvents
from verif.locate.failed_program import FailedProgram

CASES = "located.txt"
"""In the simulation's folder: the cases reported, one folder a line."""
MATRIX_TENSORS = ("out", "dst", "ext")


def report(failed: FailedProgram, difference: str, *, events: ProgramEvents | None = None, hung: bool = False) -> str:
    """Keep the failed, and say what is known of it. `difference` is what the bench saw, in its own words.

    `hung`: the program did not end, or the watchdog ended it; state.txt says who waits for whom.
    """
    lines = [f"{failed.title}: {difference}"]
    state = hang.read_state() if hung else None
    if state is not None:
        lines += ["it hangs:", *(f"  {line}" for line in hang.explain(state, failed.program.image))]
    if events is not None:
        lines += located(failed, failed.meaning(), events, unfinished=hung)
    return keep(failed, lines)


def keep(failed: FailedProgram, lines: Sequence[str], directory: Path = Path()) -> str:
    """Keep a program that failed in `directory`'s simulation; its report, and the command that locates it."""
    failed.save(failed.folder)
    (failed.folder / "report.txt").write_text("\n".join(lines) + "\n")
    with (directory / CASES).open("a") as cases:
        print(failed.folder, file=cases)
    folder = failed.folder.relative_to(ROOT) if failed.folder.is_relative_to(ROOT) else failed.folder
    return "\n".join([*lines, f"with a waveform: .venv/bin/ga2 locate {folder}"])


def located(failed: FailedProgram, outcome: Outcome, events: ProgramEvents, *, unfinished: bool = False) -> list[str]:
    """What the events say: lost hazards, the first divergence in program order and in time, the first late one.

    Of an `unfinished` program (one that hung, or was cut short) what it never came to write is no news.
    """
    events.settle()
    config = failed.config
    found = [each for each in divergences(outcome, events, config) if not unfinished or each.first.cycle is not None]
    lines = [line for lost in lost_hazards(outcome, events, config)[:1] for line in _hazard(lost, failed, outcome)]
    if found:
        first, earliest = found[0], first_in_time(found)
        lines += ["first divergence in program order:", *_described(first, failed)]
        if earliest is not None and earliest.pc != first.pc:
            lines += ["first in time:", *_described(earliest, failed)]
        if len(found) > 1:
            lines.append(f"{len(found) - 1} more instructions wrote wrong bytes, the last of them pc {found[-1].pc}")
    elif not unfinished and (failed.profile is None or failed.profile.ready):
        lines += _late(failed, outcome, events)
    return lines


def cycle_of(failed: FailedProgram, outcome: Outcome, events: ProgramEvents) -> int:
    """The cycle around which to look: of the first wrong write in program order, else of the first late one."""
    found = divergences(outcome, events, failed.config)
    cycles = [each.first.cycle for each in found if each.first.cycle is not None]
    cycles += [lost.cycle for lost in lost_hazards(outcome, events, failed.config)]
    if cycles:
        return cycles[0]
    late = first_late(timeline(failed.config, outcome.resolved, refusal(outcome)), events)
    if late is not None:
        return min(cycle for cycle in (*late.golden, *late.rtl) if cycle is not None)
    return events.last_cycle


def instruction_of(pc: int, resolved: Resolved | None, failed: FailedProgram) -> str:
    """Its pc, its text, and the node it was compiled from."""
    if pc == NOWHERE:
        return "no instruction in flight"
    text = format_instruction(resolved.instruction) if resolved else "not executed by the golden model"
    note = failed.program.image.notes.get(pc)
    return f"pc {pc}  {' '.join(text.split())}" + (f"  ; {note}" if note else "")


def _described(divergence: Divergence, failed: FailedProgram) -> list[str]:
    first, resolved = divergence.first, divergence.resolved
    lines = [f"  {instruction_of(divergence.pc, resolved, failed)}"]
    if resolved is not None and resolved.unit != "control":
        sizes = ", ".join(f"{name} {value}" for name, value in resolved.dims.items())
        lines.append(f"  {resolved.unit} unit, {sizes}")
    lines.append(f"  {_place(divergence, first, failed)}")
    when = "never" if first.cycle is None else f"cycle {first.cycle}"
    lines.append(f"  {when}: golden {_value(first.golden)}, RTL {_value(first.rtl)}")
    lines.append(f"  {len(divergence.wrong)} bytes of it are wrong{_rows(divergence, failed.config)}")
    return lines


def _place(divergence: Divergence, wrong: Wrong, failed: FailedProgram) -> str:
    at = f"{wrong.where} byte {wrong.address:#x}"
    if wrong.where != EXTERNAL:
        word, byte = divmod(wrong.address, failed.config.cols)
        at = f"{wrong.where} word {word:#x}, byte {byte}"
    if divergence.resolved is None:
        return at
    place = position(divergence.resolved, wrong, failed.config)
    if place is None:
        return f"{at}, which is none of its destinations"
    tensor = failed.program.image.notes.get(divergence.pc, "") if place.operand in MATRIX_TENSORS else ""
    return f"{place.operand}{f' = {tensor}' if tensor else ''}, row {place.row}, column {place.column} ({at})"


def _value(value: int | str | None) -> str:
    if isinstance(value, int):
        return f"{value:#04x} ({value - 256 if value > 127 else value})"
    return "nothing" if value is None else value


def _rows(divergence: Divergence, config: Config) -> str:
    if divergence.resolved is None:
        return ""
    places = [position(divergence.resolved, wrong, config) for wrong in divergence.wrong]
    rows = sorted({place.row for place in places if place is not None})
    return f", in row{'s' if len(rows) > 1 else ''} {_ranges(rows)}" if rows else ""


def _ranges(numbers: Sequence[int]) -> str:
    """`0 to 2, 5` of ascending numbers."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in runs)


def _hazard(lost: LostHazard, failed: FailedProgram, outcome: Outcome) -> list[str]:
    resolved = {each.pc: each for each in outcome.resolved}
    done = "was never done" if lost.older_done is None else f"was done in cycle {lost.older_done}"
    return [
        f"lost hazard: started in cycle {lost.cycle}",
        f"  {instruction_of(lost.pc, resolved[lost.pc], failed)}",
        f"before what it depends on {done}:",
        f"  {instruction_of(lost.older_pc, resolved[lost.older_pc], failed)}",
    ]


def _late(failed: FailedProgram, outcome: Outcome, events: ProgramEvents) -> list[str]:
    """Bytes are right: who takes other cycles than the timing model says."""
    late = first_late(timeline(failed.config, outcome.resolved, refusal(outcome)), events)
    if late is None:
        return ["every byte is right, and every instruction starts and ends in its predicted cycle"]
    resolved = {each.pc: each for each in outcome.resolved}
    return [
        "every byte is right; first instruction in other cycles than predicted:",
        f"  {instruction_of(late.pc, resolved[late.pc], failed)}",
        f"  predicted from {late.golden[0]} to {late.golden[1]}, RTL from {late.rtl[0]} to {late.rtl[1]}",
    ]
