# SPDX-License-Identifier: Apache-2.0
"""Where a program on the RTL first parts from the golden model: the instruction, the byte, the cycle.

Pure functions of what the golden model says (`Outcome` with write sets) and what the RTL did (`ProgramEvents`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ga2.golden.hazards import depends
from ga2.golden.interpreter import Outcome, Retired
from ga2.golden.resolve import Access, Resolved
from ga2.spec import Config
from ga2.timing.model import Timeline
from ga2.timing.ops import StOp
from verif.locate.events import Activity, ProgramEvents

SCRATCHPAD, EXTERNAL = "scratchpad", "external memory"


@dataclass(frozen=True)
class Wrong:
    """One byte that an instruction wrote wrongly, wrote though it must not, or never wrote.

    address: its byte address in `where`. golden, rtl: 0 to 255; None where nothing should be, or was, written; an x
    is "x". cycle: of the RTL's write, or in which the instruction was done without it; None if it never was.
    """

    where: str
    address: int
    golden: int | None
    rtl: int | str | None
    cycle: int | None

    def __str__(self) -> str:
        golden, rtl = ("nothing" if value is None else value for value in (self.golden, self.rtl))
        return f"{self.where} byte {self.address:#x}: golden {golden}, RTL {rtl}, cycle {self.cycle}"


@dataclass(frozen=True)
class Divergence:
    """An instruction whose written bytes differ, and every such byte, the earliest write first.

    resolved: None for what no instruction in flight accounts for.
    """

    pc: int
    resolved: Resolved | None
    wrong: tuple[Wrong, ...]

    @property
    def first(self) -> Wrong:
        """The earliest."""
        return self.wrong[0]


@dataclass(frozen=True)
class LostHazard:
    """An instruction that was taken in (`cycle`) before an older one on which it depends was done."""

    pc: int
    cycle: int
    older_pc: int
    older_done: int | None


@dataclass(frozen=True)
class Late:
    """The first instruction whose cycles are not those of the timing model: (taken in, done), golden and RTL."""

    pc: int
    golden: tuple[int, int]
    rtl: tuple[int | None, int | None]


@dataclass(frozen=True)
class Position:
    """Where a byte lies in a tensor: the operand's name, row, and byte of the row."""

    operand: str
    row: int
    column: int


def divergences(outcome: Outcome, events: ProgramEvents, config: Config) -> list[Divergence]:
    """Every instruction whose written bytes differ, in program order, and last what belongs to none.

    `outcome` comes from `Core.run(..., record_writes=True)`.
    """
    resolved = {each.pc: each for each in outcome.resolved}
    found = []
    for retired in outcome.retirements:
        wrong = sorted(wrong_bytes(retired, events.of(retired.pc), config), key=_when)
        if wrong:
            found.append(Divergence(retired.pc, resolved[retired.pc], tuple(wrong)))
    known = {retired.pc for retired in outcome.retirements}
    for pc, activity in sorted(events.activities.items()):
        stray = [] if pc in known else list(_stray(activity, config))
        if stray:
            found.append(Divergence(pc, resolved.get(pc), tuple(sorted(stray, key=_when))))
    return found


def first_in_time(found: Sequence[Divergence]) -> Divergence | None:
    """The divergence with the earliest wrong write; None if nothing wrong was written, only something never."""
    written = (each for each in found if each.first.cycle is not None)
    return min(written, key=lambda each: _when(each.first), default=None)


def lost_hazards(outcome: Outcome, events: ProgramEvents, config: Config) -> list[LostHazard]:
    """Every instruction that the RTL started too early, and the oldest one for which it should have waited."""
    found = []
    program = [each for each in outcome.resolved if each.op is not None]
    for index, younger in enumerate(program):
        taken = events.of(younger.pc).taken
        if taken is None:
            continue
        for older in program[max(index - config.window_slots, 0) : index]:
            done = events.of(older.pc).done
            if (done is None or done >= taken) and depends(younger, older):
                found.append(LostHazard(younger.pc, taken, older.pc, done))
                break
    return found


def first_late(line: Timeline, events: ProgramEvents) -> Late | None:
    """The first instruction, by its predicted start, whose start or end is not the predicted one."""
    for event in sorted(line.events, key=lambda each: each.start):
        activity = events.of(event.resolved.pc)
        seen = activity.taken, activity.done
        if event.resolved.op is not None and seen != (event.start, event.end):
            return Late(event.resolved.pc, (event.start, event.end), seen)
    return None


def position(resolved: Resolved, wrong: Wrong, config: Config) -> Position | None:
    """The operand, row and column of a byte that an instruction should have written; None outside its destinations."""
    if wrong.where == EXTERNAL:
        op = resolved.op
        if not isinstance(op, StOp) or wrong.address < op.ext_addr:
            return None
        offset = wrong.address - op.ext_addr
        row, column = divmod(offset, op.ext_pitch_bytes) if op.rows > 1 and op.ext_pitch_bytes else (0, offset)
        return Position("ext", *_dense(resolved, row, column, config))
    word, byte = divmod(wrong.address, config.cols)
    for access in resolved.writes:
        if access.lo <= word < access.hi:
            row, offset = _row(access, word)
            return Position(access.name, row, offset * config.cols + byte) if offset < access.words else None
    return None


def _dense(resolved: Resolved, row: int, column: int, config: Config) -> tuple[int, int]:
    """Row and column again where dispatch made one long row of many dense ones."""
    width = resolved.dims.get("words", 0) * config.cols
    return (row, column) if not width or column < width else (row + column // width, column % width)


def _row(access: Access, word: int) -> tuple[int, int]:
    return divmod(word - access.start, access.pitch) if access.rows > 1 and access.pitch else (0, word - access.start)


def _when(wrong: Wrong) -> tuple[int, str, int]:
    return (1 << 62 if wrong.cycle is None else wrong.cycle, wrong.where, wrong.address)


def wrong_bytes(retired: Retired, activity: Activity, config: Config) -> Iterator[Wrong]:
    """Every byte of an instruction that differs; those of written words first, then those never written."""
    assert retired.writes is not None, "run the golden model with record_writes"
    yield from _wrong_words(retired.writes.words, activity, config)
    expected: dict[int, list[int]] = {}
    for at, data in retired.writes.external:
        for i, byte in enumerate(data):
            expected.setdefault(at + i, []).append(byte)
    yield from _wrong_external(expected, activity)


def _wrong_words(golden: dict[int, bytes], activity: Activity, config: Config) -> Iterator[Wrong]:
    for write in activity.writes:
        right = golden.get(write.word)
        for byte in range(config.cols):
            seen: int | str = "x" if write.unknown and write.unknown[byte] else write.data[byte]
            due = None if right is None else right[byte]
            if seen != due:
                yield Wrong(SCRATCHPAD, write.word * config.cols + byte, due, seen, write.cycle)
    for word in sorted(golden.keys() - {write.word for write in activity.writes}):
        for byte in range(config.cols):
            yield Wrong(SCRATCHPAD, word * config.cols + byte, golden[word][byte], None, activity.done)


def _wrong_external(golden: Mapping[int, Sequence[int]], activity: Activity) -> Iterator[Wrong]:
    """`golden` are the values of each byte in the order in which they come: rows of a store may lie on each other."""
    written: Counter[int] = Counter()
    for beat in activity.beats:
        for byte, value in enumerate(beat.data):
            if beat.strobes >> byte & 1:
                address = beat.address + byte
                values, seen_before = golden.get(address, ()), written[address]
                written[address] += 1
                due = values[seen_before] if seen_before < len(values) else None
                seen: int | str = "x" if beat.unknown and beat.unknown[byte] else value
                if seen != due:
                    yield Wrong(EXTERNAL, address, due, seen, beat.cycle)
    for address in sorted(golden):
        if written[address] < len(golden[address]):
            yield Wrong(EXTERNAL, address, golden[address][-1], None, activity.done)


def _stray(activity: Activity, config: Config) -> Iterator[Wrong]:
    yield from _wrong_words({}, activity, config)
    yield from _wrong_external({}, activity)

