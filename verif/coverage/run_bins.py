# SPDX-License-Identifier: Apache-2.0
"""Bins of whole runs: how a program ended and after what, its fault and the state it met, how the memory paused."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ga2.coverage.lists import BEFORE, LISTS
from ga2.golden.interpreter import Outcome
from ga2.spec import CONFIG_NAMES, ISA, REGISTERS
from ga2.timing.model import Event, refusal
from verif.core.stall_profile import ALWAYS_READY, CHANNELS, SHAPES, Profile
from verif.coverage.context import Bins

COMPLETED, PRECISE, POWER_UP, RESET = "HALT", "precise fault", "power-up", "reset"
IMPRECISE = tuple(name for name, fault in ISA.faults.items() if fault.kind == "imprecise")
ENDINGS = (POWER_UP, COMPLETED, PRECISE, *IMPRECISE, RESET)
STATES = ("alone", "behind others")
AT_ONCE = ("len_m",)  # found before the first instruction: nothing can be before it
CUTS = ("abort", "watchdog", "reset")
PROGRESS = ("nothing retired", "some retired", "all retired")
PAUSES = tuple(name for name in SHAPES if name != ALWAYS_READY)
LOAD_FAULTS = ("alignment", "pc", "constant")

POINTS: dict[str, tuple[str, ...]] = {
    "fault/precise": tuple(f"{fault} {op}" for fault, ops in LISTS.precise.items() for op in ops),
    "fault/state": tuple(f"{fault} {state}" for fault in LISTS.precise for state in STATES[: 2 - (fault in AT_ONCE)]),
    "fault/imprecise": tuple(f"{fault} {place}" for fault, places in LISTS.imprecise.items() for place in places),
    "fault/load": LOAD_FAULTS,
    "fault/refused": (*REGISTERS["ERROR"].fields, "read only"),
    "run/after": tuple(f"{ending} then {now}" for ending in ENDINGS for now in (COMPLETED, PRECISE)),
    "run/cut": tuple(
        f"{cut} {progress}" for cut in CUTS for progress in PROGRESS if (cut, progress) != ("watchdog", "all retired")
    ),
    "run/configuration": tuple(f"{name} {now}" for name in CONFIG_NAMES for now in (COMPLETED, PRECISE)),
    "memory/pause": tuple(f"{shape} {unit}" for shape in PAUSES for unit in ("load", "store")),
    "memory/channel": CHANNELS,
    "memory/write_data": ("behind its address", "before its address"),
    "host/pause": ("none", "some"),
}


@dataclass(frozen=True)
class Paused:
    """How the memory held a program back: the profile, and the cycles held for reads and for writes."""

    profile: Profile
    read: int
    write: int


def ending(outcome: Outcome) -> str:
    """How a run ended, in the words of `run/after`."""
    if outcome.fault is None:
        return COMPLETED
    return PRECISE if ISA.faults[outcome.fault.name].kind == "precise" else outcome.fault.name


def refused_op(outcome: Outcome, words: list[int]) -> str:
    """The opcode of the instruction that dispatch refused: of `words`, those of the instruction memory, if need be."""
    fault = outcome.fault
    if outcome.refused is not None:
        return outcome.refused.op
    if fault is None or fault.name != "illegal":
        return BEFORE
    spec = ISA.by_opcode.get(words[fault.pc] & 0xFF)
    return spec.name if spec else BEFORE


def precise_bins(outcome: Outcome, words: list[int], events: Iterable[Event], timed: bool) -> Iterator[str]:
    """A precise fault by the opcode it met; where times are known also whether older instructions were under way."""
    fault = outcome.fault
    if fault is None or fault.name not in LISTS.precise:
        return
    yield f"fault/precise/{fault.name} {refused_op(outcome, words)}"
    events, refused = list(events), refusal(outcome)
    if refused is not None and timed:
        found = (events[-1].allocated if events else 1) + refused.after
        behind = any(event.freed >= found for event in events)
        yield f"fault/state/{fault.name} {STATES[behind]}"


def pause_bins(paused: Paused) -> Bins:
    """What held a program back."""
    profile, bins = paused.profile, set()
    bins.add(f"host/pause/{'some' if profile.host else 'none'}")
    if not profile.ready:
        held = (("load", paused.read), ("store", paused.write))
        bins |= {f"memory/pause/{profile.name} {unit}" for unit, cycles in held if cycles}
        closing = {name for name, gate in zip(CHANNELS, profile.gates, strict=True) if gate.chance}
        if len(closing) == 1:
            (channel,) = closing
            if dict(held)[LISTS.channels[channel]]:
                bins.add(f"memory/channel/{channel}")
        if paused.write:
            bins.add(f"memory/write_data/{('behind', 'before')[profile.seed & 1]} its address")
    return frozenset(bins)


def cut_bins(cut: str, retired: int, expected: int) -> Bins:
    """A program that the host or the watchdog ended, when `retired` of `expected` instructions had retired."""
    progress = PROGRESS[0] if retired == 0 else PROGRESS[1] if retired < expected else PROGRESS[2]
    return frozenset({f"run/cut/{cut} {progress}"}) & known(POINTS)


def stopped_bins(fault: str, op: str, stuck: Sequence[str]) -> Bins:
    """An imprecise fault by the instruction that it stopped, abort by none, the watchdog by the channel that hung."""
    places = ("running",) if fault == "abort" else stuck if fault == "watchdog" else (op,)
    return frozenset(f"fault/imprecise/{fault} {place}" for place in places) & known(POINTS)


def known(points: dict[str, tuple[str, ...]]) -> Bins:
    """The names of all bins of some points."""
    return frozenset(f"{point}/{name}" for point, names in points.items() for name in names)
