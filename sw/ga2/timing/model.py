# SPDX-License-Identifier: Apache-2.0
"""Every counter of a program, exactly, from its resolved instructions: no clock is stepped.

Cycle 1 is the first after START's write. An instruction decoded in cycle t with n operands enters the window in
t + n + 2 (a no-op in t + 1), later if its slot is taken; it starts when everything it depends on has finished and its
unit takes it; it leaves the window in order. Older instructions never depend on younger ones, so one pass in program
order gives every time. The rules are those of `rtl/ga2_dispatch.sv` and `rtl/ga2_window.sv`; each unit's are in a file
of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ga2.golden.hazards import depends
from ga2.golden.interpreter import Outcome
from ga2.golden.resolve import Resolved
from ga2.spec import Config
from ga2.timing.load import LoadUnit
from ga2.timing.matrix import MatrixUnit
from ga2.timing.ops import LdOp, StOp
from ga2.timing.softmax import SoftmaxUnit
from ga2.timing.store import StoreUnit
from ga2.timing.vector import VectorUnit

FIRST_DECODE = 2


@dataclass(frozen=True)
class Event:
    """One instruction's cycles: in the window from `allocated`, free to start after `waits`, busy in (start, end].

    `ready` is the first cycle in which its unit could take the next one: a product's array steps in (start, ready].
    """

    resolved: Resolved
    decoded: int
    allocated: int
    waits: int
    start: int
    ready: int
    end: int
    freed: int

    @property
    def unit(self) -> str:
        """The unit that executed it."""
        return self.resolved.unit


@dataclass
class Timeline:
    """A program's events in order, and the cycle in which HALT found the window empty."""

    events: list[Event] = field(default_factory=list)
    halt_decoded: int = 0
    finish: int = 0


def _units(config: Config) -> dict:
    return {
        "load": LoadUnit(config),
        "store": StoreUnit(config),
        "matrix": MatrixUnit(config),
        "softmax": SoftmaxUnit(config),
        "vector": VectorUnit(config),
    }


def timeline(config: Config, program: Sequence[Resolved]) -> Timeline:
    """When every instruction of a faultless run (HALT last) is decoded, allocated, started, done and freed."""
    units = _units(config)
    result = Timeline()
    events = result.events
    decode = FIRST_DECODE
    freed = 0
    for resolved in program:
        if resolved.halt:
            result.halt_decoded = decode
            result.finish = max(decode, freed) + 1
            return result
        allocated = decode + (1 if resolved.no_op else resolved.operand_count + 2)
        if len(events) >= config.window_slots:
            allocated = max(allocated, events[-config.window_slots].freed + 1)
        waits = start = ready = end = allocated
        if not resolved.no_op:
            older = events[-config.window_slots :]
            holding = (old.end for old in older if old.end > allocated and depends(resolved, old.resolved))
            waits = max(holding, default=allocated)
            times = units[resolved.unit].issue(resolved.op, waits + 1)
            start, ready, end = times.start, times.ready, times.end
        freed = max(end, freed) + 1
        events.append(Event(resolved, decode, allocated, waits, start, ready, end, freed))
        decode = allocated + 1
    raise ValueError("the program has no HALT")


def _beats(event: Event, config: Config) -> int:
    op = event.resolved.op
    return op.rows * op.words * config.beats_per_word if isinstance(op, LdOp | StOp) else 0


def _busy(events: list[Event], unit: str, cycles: int) -> NDArray[np.bool_]:
    busy = np.zeros(cycles, dtype=bool)
    for event in events:
        if event.unit == unit:
            busy[event.start + 1 : event.end + 1] = True
    return busy


def counters(config: Config, line: Timeline) -> dict[str, int]:
    """The counters of spec/registers.yaml for a timeline."""
    cycles = line.finish + 1  # index 0 is START's cycle
    events = line.events
    busy = {unit: _busy(events, unit, cycles) for unit in ("load", "store", "matrix", "softmax", "vector")}
    stepping = np.zeros(cycles, dtype=bool)
    hazard = np.zeros(cycles, dtype=bool)
    dispatch = np.zeros(cycles, dtype=bool)
    dispatch[1 : line.halt_decoded + 2] = True
    for event in events:
        hazard[event.allocated + 1 : event.waits + 1] = True
        if event.unit == "matrix":
            stepping[event.start + 1 : event.ready + 1] = True

    conditions = {
        "part_array": stepping,
        "part_vector": busy["vector"] | busy["softmax"],
        "part_load": busy["load"],
        "part_store": busy["store"],
        "part_hazard": hazard,
        "part_dispatch": dispatch,
    }
    free = np.ones(cycles, dtype=bool)
    free[0] = False
    partition = {}
    for name, condition in conditions.items():
        partition[name] = int(np.count_nonzero(condition & free))
        free &= ~condition
    partition["part_idle"] = int(np.count_nonzero(free)) + 1  # the cycle in which irq rises

    return {
        "total": line.finish + 1,
        "matrix": int(busy["matrix"].sum()),
        "load_store": int((busy["load"] | busy["store"]).sum()),
        "vector": int(busy["vector"].sum()),
        "softmax": int(busy["softmax"].sum()),
        **partition,
        "matrix_and_load": int((busy["matrix"] & busy["load"]).sum()),
        "read_beats": sum(_beats(event, config) for event in events if event.unit == "load"),
        "write_beats": sum(_beats(event, config) for event in events if event.unit == "store"),
        "retired": len(events) + 1,
    }


def predict(config: Config, outcome: Outcome) -> dict[str, int]:
    """The counters of a run on the reference memory; empty for one that a fault ended."""
    return {} if outcome.fault else counters(config, timeline(config, outcome.resolved))
