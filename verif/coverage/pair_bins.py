# SPDX-License-Identifier: Apache-2.0
"""Bins of pairs: an instruction and each older one that may still be in the window.

`together` means that the older one was unfinished when the newer one entered the window, so that a hazard has to be
kept by waiting; `apart` that it was done before.
"""

from collections.abc import Iterable, Iterator

from ga2.golden.hazards import depends, drain_collides, ports_collide
from ga2.golden.resolve import Access, ExtAccess, Resolved, overlaps
from ga2.spec import CONFIG_NAMES, ISA, load_config
from verif.coverage.context import OPERATIONS, UNITS, Bins, Context

HAZARDS = ("RAW", "WAR", "WAW")
NONE = "none"
OVERLAPS = ("together", "apart")
SHAPES = ("equal", "inside", "around", "first part", "last part", "ends below", "begins above")
NEAR = ("ends below", "begins above")  # side by side: not one word in common
SLOTS = load_config(CONFIG_NAMES[0]).window_slots

Interval = Access | ExtAccess


def _spaces(op: str, access: str) -> set[str]:
    """What an opcode reads or writes: the scratchpad, external memory."""
    kinds = {"operand": "scratchpad", "ext": "external"}
    return {kinds[field.kind] for field in ISA.instructions[op].fields if field.access == access}


def possible(older: str, newer: str) -> tuple[str, ...]:
    """The hazards that two opcodes can have at all, with none."""
    sides = {"RAW": ("write", "read"), "WAR": ("read", "write"), "WAW": ("write", "write")}
    found = [name for name, (old, new) in sides.items() if _spaces(older, old) & _spaces(newer, new)]
    return (*found, NONE)


def _units(access: str) -> tuple[str, ...]:
    """The units that read or write the scratchpad."""
    using = {ISA.instructions[op].unit for op in OPERATIONS if "scratchpad" in _spaces(op, access)}
    return tuple(unit for unit in UNITS if unit in using)


POINTS: dict[str, tuple[str, ...]] = {
    "pair/hazard": tuple(
        f"{older} {newer} {hazard} {overlap}"
        for older in OPERATIONS
        for newer in OPERATIONS
        for hazard in possible(older, newer)
        for overlap in OVERLAPS
    ),
    "pair/shape": tuple(f"{hazard} {shape}" for hazard in HAZARDS for shape in SHAPES),
    "pair/external": tuple(
        f"{older} {newer} {hazard} {shape}"
        for older, newer, hazard in (
            *(("ST", load, "RAW") for load in ("LD", "LDG")),
            *((load, "ST", "WAR") for load in ("LD", "LDG")),
            ("ST", "ST", "WAW"),
        )
        for shape in SHAPES
    ),
    "pair/port": (
        *(f"read port {unit}" for unit in _units("read")),
        *(f"write port {unit}" for unit in _units("write")),
        "drain matrix",
    ),
    "pair/distance": tuple(str(distance) for distance in range(1, SLOTS)),
    "pair/awaited": ("0", "1", "2", "3 or more"),
}


def shape(new: Interval, old: Interval) -> str | None:
    """How the newer interval lies to the older one; None if they do not even touch."""
    if new.hi == old.lo:
        return "ends below"
    if new.lo == old.hi:
        return "begins above"
    if not overlaps(new, old):
        return None
    if (new.lo, new.hi) == (old.lo, old.hi):
        return "equal"
    if new.lo >= old.lo and new.hi <= old.hi:
        return "inside"
    if new.lo <= old.lo and new.hi >= old.hi:
        return "around"
    return "first part" if new.lo < old.lo else "last part"


def _sides(new: Resolved, old: Resolved) -> Iterator[tuple[str, Iterable[Access], Iterable[Access]]]:
    yield "RAW", new.reads, old.writes
    yield "WAR", new.writes, old.reads
    yield "WAW", new.writes, old.writes


def _external(new: Resolved, old: Resolved) -> str | None:
    """The hazard that two external accesses have where they overlap."""
    if new.ext is None or old.ext is None or not (new.ext.write or old.ext.write):
        return None
    return "WAW" if new.ext.write and old.ext.write else "WAR" if new.ext.write else "RAW"


def _intervals(new: Resolved, old: Resolved) -> Iterator[tuple[str, str, str]]:
    """(hazard, shape, point) of every two intervals that touch."""
    for hazard, news, olds in _sides(new, old):
        for one in news:
            for other in olds:
                if (found := shape(one, other)) is not None:
                    yield hazard, found, "pair/shape"
    outside = _external(new, old)
    if outside is not None and new.ext is not None and old.ext is not None:
        if (found := shape(new.ext, old.ext)) is not None:
            yield outside, found, "pair/external"


def _port(new: Resolved, old: Resolved, overlapping: bool) -> Iterator[str]:
    """Why the newer one waits though they share no word: a port of a bank, or the older product's drain."""
    if overlapping:
        return
    if new.unit == old.unit:
        if new.unit == "matrix" and drain_collides(new, old):
            yield "pair/port/drain matrix"
        return
    if not ports_collide(new, old):
        return
    for name, news, olds in (("read", new.reads, old.reads), ("write", new.writes, old.writes)):
        if any(one.banks & other.banks for one in news for other in olds):
            yield f"pair/port/{name} port {new.unit}"


def pair_bins(context: Context) -> Bins:
    """The bins of an instruction with each older one; those of time only where times are known."""
    new, bins, awaited = context.resolved, set(), []
    if new.no_op or new.halt:
        return frozenset()
    timed = len(context.events) == len(context.older) + 1
    for index, old in enumerate(context.older):
        if old.no_op:
            continue
        together = timed and context.events[index].end > context.events[-1].allocated
        touching = set(_intervals(new, old))
        hazards = {hazard for hazard, found, _ in touching if found not in NEAR}
        if timed:
            overlap = OVERLAPS[not together]
            pair = f"pair/hazard/{old.instruction.op} {context.op}"
            bins |= {f"{pair} {hazard} {overlap}" for hazard in hazards or {NONE}}
        if together:
            names = f"{old.instruction.op} {context.op} "
            for hazard, found, point in touching:
                bins.add(f"{point}/{names if point == 'pair/external' else ''}{hazard} {found}")
            bins |= set(_port(new, old, bool(hazards)))
            if depends(new, old):
                awaited.append(len(context.older) - index)
    if timed:
        bins.add(f"pair/awaited/{len(awaited) if len(awaited) < 3 else '3 or more'}")
        bins |= {f"pair/distance/{distance}" for distance in awaited}
    return frozenset(bins)
