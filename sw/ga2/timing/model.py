# SPDX-License-Identifier: Apache-2.0
"""Every counter of a program, exactly, from its resolved instructions: no clock is stepped.

Cycle 1 is the first after START's write. An instruction decoded in cycle t with n operands enters the window in
t + n + 4 (a no-op in t + 3), later if its slot is taken; it starts when everything it depends on has finished and its
unit takes it; it leaves the window in order. Older instructions never depend on younger ones, so one pass in program
order gives every time. A precise fault is found by the first failing check: those of the instruction's own fields in
the second cycle after decoding, those of its operands when it would enter; it ends the program as HALT does, once
everything older has left the window. The rules are those of `rtl/ga2_dispatch.sv` and `rtl/ga2_window.sv`; each unit's
are in a file of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ga2.golden.hazards import depends
from ga2.golden.interpreter import Outcome
from ga2.golden.resolve import Resolved
from ga2.isa.operands import present_operands
from ga2.spec import ISA, Config
from ga2.timing.load import LoadUnit
from ga2.timing.matrix import MatrixUnit
from ga2.timing.ops import LdOp, StOp
from ga2.timing.softmax import SoftmaxUnit
from ga2.timing.store import StoreUnit
from ga2.timing.vector import VectorUnit

FIRST_DECODE = 1
OPERAND_FAULTS = ("scratchpad", "window", "read_only", "alignment", "bank", "overlap")


@dataclass(frozen=True)
class Refusal:
    """The precise fault that ends a program, found `after` cycles after the decoding of the refused instruction."""

    after: int


def refusal(outcome: Outcome) -> Refusal | None:
    """When dispatch finds the fault of a run; None if it ends with HALT. ValueError for an imprecise fault."""
    fault = outcome.fault
    if fault is None:
        return None
    if ISA.faults[fault.name].kind != "precise":
        raise ValueError(f"{fault}: when an imprecise fault stops the program is not modelled")
    if fault.name == "len_m":  # instead of decoding
        return Refusal(1 - FIRST_DECODE)
    if fault.name not in OPERAND_FAULTS or outcome.refused is None:
        return Refusal(2)
    operands = len(present_operands(outcome.refused)) + ("ext" in outcome.refused.fields)
    return Refusal(operands + 4)


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
    """A program's events in order, the cycle in which dispatch met its end, and that in which the window was empty."""

    events: list[Event] = field(default_factory=list)
    halted: bool = True
    dispatched: int = 0
    finish: int = 0


def _units(config: Config) -> dict:
    return {
        "load": LoadUnit(config),
        "store": StoreUnit(config),
        "matrix": MatrixUnit(config),
        "softmax": SoftmaxUnit(config),
        "vector": VectorUnit(config),
    }


def timeline(config: Config, program: Sequence[Resolved], refused: Refusal | None = None) -> Timeline:
    """When every instruction of a run is decoded, allocated, started, done and freed.

    The last one of `program` is HALT, or the next one is `refused` by dispatch.
    """
    units = _units(config)
    result = Timeline()
    events = result.events
    decode = FIRST_DECODE
    freed = 0
    for resolved in program:
        if resolved.halt:
            result.dispatched = decode + 2
            result.finish = max(result.dispatched, freed) + 1
            return result
        allocated = decode + (3 if resolved.no_op else resolved.operand_count + 4)
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
        decode = allocated
    if refused is None:
        raise ValueError("the program has no HALT")
    result.halted = False
    result.dispatched = decode + refused.after
    result.finish = max(result.dispatched, freed) + 1
    return result


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
    dispatch[1 : line.dispatched + 1] = True
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
        "retired": len(events) + line.halted,
    }


def predict(config: Config, outcome: Outcome) -> dict[str, int]:
    """The counters of a run on the reference memory; empty for one that an imprecise fault ended."""
    if outcome.fault and ISA.faults[outcome.fault.name].kind != "precise":
        return {}
    return counters(config, timeline(config, outcome.resolved, refusal(outcome)))
