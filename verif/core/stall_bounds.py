# SPDX-License-Identifier: Apache-2.0
"""What each counter may be when the memory holds its channels back: docs/developer/verification.md says why.

The timing model gives the counters on the reference memory; `Held` what the memory held back while the program ran.
"""

from collections.abc import Iterable, Mapping, Sequence

from ga2.golden.interpreter import Outcome
from ga2.golden.resolve import Resolved
from ga2.spec import Config
from ga2.timing.load import LoadUnit
from ga2.timing.model import Event, predict, timeline
from ga2.timing.ops import LdOp, StOp, Times
from ga2.timing.store import StoreUnit
from verif.core.hostile_device import Held

EXACT = ("vector", "softmax", "part_array", "read_beats", "write_beats", "retired")
Bounds = dict[str, tuple[int, int]]


def _alone(config: Config, program: Iterable[Resolved], kind: type[LdOp] | type[StOp]) -> int:
    """Busy cycles of all loads or all stores, each on an idle unit."""
    times = [_on_idle_unit(config, each.op) for each in program if isinstance(each.op, kind)]
    return sum(time.end - time.start for time in times)


def _on_idle_unit(config: Config, op: LdOp | StOp) -> Times:
    return LoadUnit(config).issue(op, 0) if isinstance(op, LdOp) else StoreUnit(config).issue(op, 0)


def _matrix(events: Sequence[Event]) -> tuple[int, int]:
    """Drains overlap the next product as much as possible, or not at all."""
    products = [event for event in events if event.unit == "matrix" and event.end > event.start]
    if not products:
        return 0, 0
    streams = sum(event.ready - event.start for event in products)
    return streams + products[-1].end - products[-1].ready, sum(event.end - event.start for event in products)


def bounds(config: Config, outcome: Outcome, held: Held) -> Bounds:
    """The lowest and the highest value of every counter of a run that HALT ended."""
    expected = predict(config, outcome)
    events = timeline(config, outcome.resolved).events
    total = expected["total"], expected["total"] + held.any
    matrix = _matrix(events)
    load = min(total[1], _alone(config, outcome.resolved, LdOp) + held.read)
    store = min(total[1], _alone(config, outcome.resolved, StOp) + held.write)
    vector, softmax, array = (expected[name] for name in ("vector", "softmax", "part_array"))
    return {
        **{name: (expected[name], expected[name]) for name in EXACT},
        "total": total,
        "matrix": matrix,
        "load_store": (max(expected["read_beats"], expected["write_beats"]), min(total[1], load + store)),
        "part_vector": (max(0, max(vector, softmax) - array), vector + softmax),
        "part_load": (0, load),
        "part_store": (0, store),
        "part_hazard": (0, total[1]),
        "part_dispatch": (0, total[1]),
        "part_idle": (1, total[1]),
        "matrix_and_load": (0, min(matrix[1], load)),
    }


PARTITION = ("part_array", "part_vector", "part_load", "part_store", "part_hazard", "part_dispatch", "part_idle")


def violations(counters: Mapping[str, int], allowed: Bounds) -> list[str]:
    """What lies outside its bounds, in words; the parts must add up to the total besides."""
    found = [
        f"counter {name}: {counters[name]}, must lie in {low}..{high}"
        for name, (low, high) in allowed.items()
        if not low <= counters[name] <= high
    ]
    if set(counters) != set(allowed):
        found.append(f"counters without bounds: {set(counters) ^ set(allowed)}")
    parts = sum(counters[name] for name in PARTITION)
    if parts != counters["total"]:
        found.append(f"the parts add up to {parts}, the total is {counters['total']}")
    return found
