# SPDX-License-Identifier: Apache-2.0
"""The GTKWave save file of a dumped block: its signals in groups, its programs as markers, its facts as comments."""

import io
from collections.abc import Sequence
from math import log2
from pathlib import Path
from string import ascii_lowercase

from vcd.gtkw import GTKWSave

from ga2.waves.dump import CYCLE_PS, TOP, Dump
from ga2.waves.facts import BLOCK_FACTS
from ga2.waves.signals import Group, groups

SIZE = (1720, 980)  # pixels of the window
NAMES = 250  # of them for the names of the signals
WAVE_PIXELS = SIZE[0] - NAMES - 60
LEAD, VISIBLE = 4, 220  # cycles: shown before the verifier's START, and in all
LABEL = 34  # characters that the column of names holds
ZOOM_PIXELS = 200  # a zoom of -z means 2**z picoseconds in so many pixels


def _with_range(dump: Dump, name: str) -> str:
    """The signal as GTKWave names it: vectors carry their range."""
    width = dump.width(name)
    return name if width == 1 else f"{name}[{width - 1}:0]"


def _label(fact: str) -> str:
    """A fact short enough for the column of names."""
    text = " ".join(fact.partition(" (")[0].split())
    return text if len(text) <= LABEL else f"{text[: LABEL - 3]}..."


def markers(dump: Dump) -> dict[str, int]:
    """What the named markers a, b, ... stand at, in picoseconds: every START, then the last interrupt."""
    starts, interrupts = dump.rises(f"{TOP}.dut.start"), dump.rises(f"{TOP}.irq")
    named = {f"START {index}": cycle for index, cycle in enumerate(starts, 1)}
    if interrupts:
        named["irq"] = interrupts[-1]
    return {name: dump.start + cycle * CYCLE_PS for name, cycle in named.items()}


def save_file(
    dump: Dump, dump_path: Path, facts: Sequence[str], shown: Sequence[Group] | None = None, focus: int | None = None
) -> str:
    """The text of the save file. `dump_path` is where the dump will lie; DumpError for a signal that it lacks.

    The view begins shortly before cycle `focus` of the dump, by default the last START, the verifier's, and is so
    narrow that the texts can be read.
    """
    text = io.StringIO()
    save = GTKWSave(text)
    save.comment(*facts)
    save.dumpfile(str(dump_path))
    places = markers(dump)
    begin = dump.start + (dump.rises(f"{TOP}.dut.start")[-1] if focus is None else focus) * CYCLE_PS
    visible = min(dump.end - begin, VISIBLE * CYCLE_PS) if focus is None else VISIBLE // 2 * CYCLE_PS
    save.timestart(max(dump.start, begin - (LEAD * CYCLE_PS if focus is None else visible // 2)))
    save.size(*SIZE)
    named = list(zip(ascii_lowercase, places.items(), strict=False))
    at = {letter: time for letter, (_, time) in named}
    save.zoom_markers(-log2(visible * ZOOM_PIXELS / WAVE_PIXELS), begin, **at)
    for letter, (name, _) in named:  # pyvcd has no method for it
        text.write(f"[markername] {letter.upper()}{name}\n")
    save.signals_width(NAMES)
    save.sst_expanded(False)
    save.treeopen(f"{TOP}.")
    for fact in facts[:BLOCK_FACTS]:
        save.blank(_label(fact))
    for group in groups() if shown is None else shown:
        with save.group(group.title, closed=group.closed):
            for signal in group.signals:
                name = _with_range(dump, signal.name)
                save.trace(name, alias=signal.alias, datafmt=signal.datafmt, color=signal.color)
    return text.getvalue()
