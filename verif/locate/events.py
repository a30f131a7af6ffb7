# SPDX-License-Identifier: Apache-2.0
"""The core's events as `verif/tb/ga2_event_log.sv` writes them, program by program.

    log = EventLog(Path("events.txt"))
    log.poll()                     # as often as one likes: reads what is new
    log.programs[-1].of(pc)        # what the RTL did for the instruction at pc

A unit executes its instructions in order and writes the last byte of one before it is done with it. Hence what it
writes up to a `done` belongs to that instruction; what it writes and is never done with, to the one it took in first.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ga2.spec import ISA

EVENTS = Path("events.txt")
UNITS = {number: name for name, number in ISA.units.items()}
HALT = next(opcode for opcode, spec in ISA.by_opcode.items() if spec.name == "HALT")
PRECISE = {code for code, fault in ISA.fault_by_code.items() if ISA.faults[fault.name].kind == "precise"}
"""Faults behind which nothing runs on; an imprecise one is traced a little before its units stop."""
NOWHERE = -1
"""The pc of what no instruction in flight accounts for."""


@dataclass(frozen=True)
class Write:
    """One scratchpad word written. `unknown` marks bytes with an x, which read as zero."""

    cycle: int
    unit: str
    word: int
    data: bytes
    unknown: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Beat:
    """One beat of a write burst, with the byte address that it has by its place in the burst."""

    cycle: int
    address: int
    data: bytes
    strobes: int
    unknown: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Burst:
    """One burst that the load or the store unit made: byte address and scratchpad words."""

    cycle: int
    address: int
    words: int


@dataclass(frozen=True)
class Traced:
    """One record of the retirement trace."""

    cycle: int
    pc: int
    opcode: int
    fault: int


@dataclass
class Activity:
    """What the RTL did for one instruction. Cycles count from 1; None is never."""

    pc: int
    taken: int | None = None
    done: int | None = None
    writes: list[Write] = field(default_factory=list)
    bursts: list[Burst] = field(default_factory=list)
    beats: list[Beat] = field(default_factory=list)


@dataclass
class ProgramEvents:
    """One program's events, by instruction, and its trace. A program runs straight on, so a pc names an instruction."""

    bus_bytes: int
    word_bytes: int
    time_ns: int = 0  # of its START
    activities: dict[int, Activity] = field(default_factory=dict)
    trace: list[Traced] = field(default_factory=list)
    last_cycle: int = 0
    ended: bool = False
    _open: dict[str, list[Write]] = field(default_factory=dict)
    _in_flight: dict[str, deque[int]] = field(default_factory=dict)
    _unpaid: deque[tuple[int, int]] = field(default_factory=deque)  # pc and address of each write beat to come

    def of(self, pc: int) -> Activity:
        """The activity of an instruction, empty if the RTL did nothing for it."""
        return self.activities.setdefault(pc, Activity(pc))

    def unclaimed(self) -> list[Write]:
        """Scratchpad writes of units that were done with everything they had taken in."""
        return self.of(NOWHERE).writes + [
            write for unit, writes in self._open.items() if not self._in_flight.get(unit) for write in writes
        ]

    def settle(self) -> None:
        """The program has ended: what a unit wrote and was never done with belongs to the oldest it had."""
        for unit, writes in self._open.items():
            flying = self._in_flight.get(unit)
            self.of(flying[0] if flying else NOWHERE).writes.extend(writes)
            writes.clear()

    def add(self, cycle: int, kind: str, fields: list[str]) -> None:
        """One line of the log."""
        self.last_cycle = cycle
        if kind == "w":
            unit = UNITS[int(fields[0])]
            data, unknown = _bytes(fields[2])
            write = Write(cycle, unit, int(fields[1], 16), data, unknown)
            self._open.setdefault(unit, []).append(write)
        elif kind == "b":
            data, unknown = _bytes(fields[0])
            pc, address = self._unpaid.popleft() if self._unpaid else (NOWHERE, 0)
            self.of(pc).beats.append(Beat(cycle, address, data, int(fields[1], 16), unknown))
        elif kind == "i":
            unit, pc = UNITS[int(fields[0])], int(fields[1])
            self.of(pc).taken = cycle
            self._in_flight.setdefault(unit, deque()).append(pc)
        elif kind == "d":
            self._done(cycle, UNITS[int(fields[0])], int(fields[1]))
        elif kind == "m":
            self._burst(cycle, UNITS[int(fields[0])], int(fields[1]), int(fields[2], 16), int(fields[3], 16))
        elif kind == "t":
            record = Traced(cycle, *map(int, fields))
            self.trace.append(record)
            self.ended = record.opcode == HALT or record.fault in PRECISE

    def _done(self, cycle: int, unit: str, pc: int) -> None:
        activity = self.of(pc)
        activity.done = cycle
        activity.writes.extend(self._open.pop(unit, []))
        flying = self._in_flight.get(unit, deque())
        if pc in flying:
            flying.remove(pc)

    def _burst(self, cycle: int, unit: str, pc: int, address: int, words: int) -> None:
        self.of(pc).bursts.append(Burst(cycle, address, words))
        if unit == "store":
            end = address + words * self.word_bytes
            self._unpaid.extend((pc, at) for at in range(address, end, self.bus_bytes))


class EventLog:
    """Reads the log as it grows. `programs` are those started since logging was switched on, in order.

    idle_writes: lines of scratchpad writes while no program ran, which must not be.
    """

    def __init__(self, bus_bytes: int, word_bytes: int, path: Path = EVENTS) -> None:
        self.programs: list[ProgramEvents] = []
        self.idle_writes: list[str] = []
        self._sizes = bus_bytes, word_bytes
        self._path, self._at, self._cycle = path, 0, 0

    def poll(self) -> ProgramEvents | None:
        """Take in what is new; the program under way, or None before the first."""
        for kind, fields in self._lines():
            if kind == "p":
                self.programs.append(ProgramEvents(*self._sizes, int(fields[0])))
            elif kind == "@":
                self._cycle = int(fields[0])
            elif self.programs and not self.programs[-1].ended:
                self.programs[-1].add(self._cycle, kind, fields)
            elif kind == "w":
                self.idle_writes.append(f"word {fields[1]} of data {fields[2]}")
        return self.programs[-1] if self.programs else None

    def _lines(self) -> Iterator[tuple[str, list[str]]]:
        """The complete lines since the last call."""
        if not self._path.is_file():
            return
        with self._path.open("rb") as file:
            file.seek(self._at)
            text = file.read()
        text = text[: text.rfind(b"\n") + 1]
        self._at += len(text)
        for line in text.decode("ascii").splitlines():
            kind, *fields = line.split(" ")
            yield kind, fields


def _bytes(digits: str) -> tuple[bytes, tuple[bool, ...]]:
    """Hexadecimal digits, the highest byte first, as bytes from the lowest up, and which of them hold an x."""
    try:
        return bytes.fromhex(digits)[::-1], ()
    except ValueError:
        pairs = [digits[at : at + 2] for at in range(0, len(digits), 2)][::-1]
        unknown = tuple(any(digit in "xXzZ" for digit in pair) for pair in pairs)
        return bytes(0 if bad else int(pair, 16) for pair, bad in zip(pairs, unknown, strict=True)), unknown
