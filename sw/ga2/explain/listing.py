# SPDX-License-Identifier: Apache-2.0
"""A program as text: the listing with its cycles and waits, the buffers, and where the cycles went."""

from collections.abc import Iterator, Sequence

from ga2.explain.subject import Place, Subject
from ga2.explain.waits import MEANING, waits
from ga2.golden.resolve import Resolved
from ga2.isa.disassembler import format_instruction
from ga2.spec import COUNTERS, Config
from ga2.timing.model import Timeline, counters

HEADINGS = ("pc", "unit", "enters", "starts", "ends", "waits for", "computes", "instruction")
RIGHT = ("pc", "enters", "starts", "ends")


def _rows(subject: Subject, program: Sequence[Resolved], line: Timeline) -> Iterator[tuple[str, ...]]:
    """One instruction a row; HALT has no event."""
    for index, resolved in enumerate(program):
        texts = subject.texts.get(resolved.pc, ""), format_instruction(resolved.instruction)
        if resolved.halt:
            yield (str(resolved.pc), "", str(line.dispatched), "", str(line.finish), "", *texts)
            continue
        event = line.events[index]
        held = [f"{wait.kind} of {wait.pc}: {wait.cycles}" for wait in waits(line.events, index, subject.config)]
        busy = ("no-op", "") if resolved.no_op else (str(event.start), str(event.end))
        unit = "" if resolved.no_op else event.unit
        yield (str(resolved.pc), unit, str(event.allocated), *busy, ", ".join(held), *texts)


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Columns as wide as their widest entry; one that is empty everywhere is left out."""
    kept = [at for at in range(len(HEADINGS)) if any(row[at] for row in rows)]
    widths = {at: max(len(HEADINGS[at]), *(len(row[at]) for row in rows)) for at in kept}
    for row in (HEADINGS, *rows):
        cells = (row[at].rjust(widths[at]) if HEADINGS[at] in RIGHT else row[at].ljust(widths[at]) for at in kept)
        yield "  ".join(cells).rstrip()


def _buffers(places: Sequence[Place], config: Config) -> Iterator[str]:
    width = max(len(place.name) for place in places)
    for place in places:
        first, last = place.lo // config.bank_words, max(place.lo, place.hi - 1) // config.bank_words
        banks = f"bank {first}" if first == last else f"banks {first} to {last}"
        yield f"  {place.name:{width}}  [0x{place.lo:04x}, 0x{place.hi:04x})  {place.hi - place.lo:6} words  {banks}"


def _spent(counted: dict[str, int]) -> Iterator[str]:
    for counter in COUNTERS:
        if counter.kind == "partition":
            cycles, name = counted[counter.name], counter.name.removeprefix("part_")
            yield f"  {name:10} {cycles:7}  {100 * cycles / counted['total']:5.1f} %  {counter.summary}"


def explain(subject: Subject, program: Sequence[Resolved], line: Timeline, length: int, m: int) -> str:
    """All of it. Cycles count from 1, the first after START, on the reference memory."""
    counted = counters(subject.config, line)
    beats = counted["read_beats"] + counted["write_beats"]
    lines = [
        f"{subject.name} on {subject.config.name}, LEN = {length}, M = {m}: {counted['total']} cycles, "
        f"{counted['retired']} instructions, {beats} beats on the bus",
        "",
        *_table(list(_rows(subject, program, line))),
        "",
        "waits, in cycles, for the instruction at a pc:",
        *(f"  {kind:8} {meaning}" for kind, meaning in MEANING.items()),
        "",
        "each cycle is spent on the first of these that holds:",
        *_spent(counted),
    ]
    if subject.places:
        lines += ["", "buffers in the scratchpad (those that share words live at different times):"]
        lines += _buffers(subject.places, subject.config)
    return "\n".join(lines) + "\n"
