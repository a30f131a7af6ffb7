# SPDX-License-Identifier: Apache-2.0
"""Reading a dump: signals by name, texts, and what each program of the block did in which cycle."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pywellen

from ga2.sim.errors import SimulationError

TOP = "ga2_tb"
PROBE = f"{TOP}.gen_waves.probe"
CYCLE_PS = 10_000  # the dump counts picoseconds; the clock of ga2.device.rtl
LANES = {
    "dispatch": "dispatch",
    "load: requests": "load_requests",
    "load: data": "load_data",
    "matrix: array": "matrix_array",
    "matrix: drain": "matrix_drain",
    "vector": "vector",
    "softmax": "softmax",
    "store: requests": "store_requests",
    "store: data": "store_data",
}
"""Lane to the probe's signal, in the order of the data's way."""

Value = int | None  # None: unknown bits


class DumpError(SimulationError):
    """A dump that is missing or does not hold what was asked for."""


@dataclass(frozen=True)
class Span:
    """A text and the cycles [first, last) in which it was shown, from the first moment of the dump."""

    text: str
    first: int
    last: int


@dataclass(frozen=True)
class Retired:
    """One line of the retirement trace."""

    cycle: int
    pc: int
    opcode: int
    fault: int
    text: str


class Dump:
    """A dump file. Times are picoseconds from the simulation's start, cycles count from the dump's first moment."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise DumpError(f"{path}: no such dump")
        self.path = path
        self._vars: Mapping[str, pywellen.Var] = {
            var.full_name: var for var in pywellen.Waveform(str(path)).all_vars()
        }
        times = [time for time, _ in self._changes(f"{TOP}.clk")]
        if not times:
            raise DumpError(f"{path}: {TOP}.clk never changes: nothing was dumped")
        self.start, self.end = times[0], times[-1]

    def __contains__(self, name: str) -> bool:
        return name in self._vars

    def width(self, name: str) -> int:
        """Bits of a signal."""
        return int(self._var(name).bitwidth or 1)

    def _var(self, name: str) -> pywellen.Var:
        if name not in self._vars:
            raise DumpError(f"{self.path}: no signal {name}")
        return self._vars[name]

    def _changes(self, name: str) -> list[tuple[int, Value]]:
        found = self._var(name).tv
        return [(int(time), value if isinstance(value, int) else None) for time, value in found]

    def changes(self, name: str) -> list[tuple[int, Value]]:
        """Every value with its first cycle; of several in a cycle the last."""
        settled = {(time - self.start) // CYCLE_PS: value for time, value in self._changes(name)}
        return list(settled.items())

    def cycles(self) -> int:
        """Cycles that the dump covers, the last one complete."""
        return -(-(self.end - self.start) // CYCLE_PS)

    def at(self, name: str, cycle: int) -> Value:
        """A signal's value in a cycle."""
        value = None
        for first, new in self.changes(name):
            if first > cycle:
                break
            value = new
        return value

    def spans(self, name: str) -> list[Span]:
        """The texts of a signal of the probe, without the times when it is empty."""
        changes = [*self.changes(name), (self.cycles(), 0)]
        return [
            Span(text_of(value), first, last)
            for (first, value), (last, _) in pairwise(changes)
            if value and last > first
        ]

    def rises(self, name: str) -> list[int]:
        """The cycles in which a one-bit signal becomes 1, or is 1 as the dump begins."""
        return [cycle for cycle, value in self.changes(name) if value == 1]

    def retirements(self) -> list[Retired]:
        """The retirement trace, cycle by cycle."""
        columns = [self._expand(f"{TOP}.trace_{name}") for name in ("valid", "pc", "opcode", "fault")]
        texts = self._expand(f"{PROBE}.retire")
        return [
            Retired(cycle, pc or 0, opcode or 0, fault or 0, text_of(text))
            for cycle, (valid, pc, opcode, fault, text) in enumerate(zip(*columns, texts, strict=True))
            if valid == 1
        ]

    def _expand(self, name: str) -> Iterator[Value]:
        changes = [*self.changes(name), (self.cycles(), 0)]
        for (first, value), (last, _) in pairwise(changes):
            yield from [value] * (min(last, self.cycles()) - first)


def text_of(value: Value) -> str:
    """A right-aligned ASCII value as text."""
    raw = (value or 0).to_bytes(((value or 0).bit_length() + 7) // 8, "big")
    return raw.decode("ascii", "replace")
