# SPDX-License-Identifier: Apache-2.0
"""How the hostile memory (`verif/tb/ga2_hostile_mem.sv`) and the host hold their channels back."""

import random
from collections.abc import Callable
from dataclasses import dataclass

CHANNELS = ("AR", "R", "AW", "W", "B")  # in the order of the memory's gates
LONG = 511  # the longest pause a gate can take, cycles


@dataclass(frozen=True)
class Gate:
    """One channel: in a cycle in which it is open it closes with `chance`/256, for 1 + (random & `mask`) cycles."""

    chance: int = 0
    mask: int = 0


@dataclass(frozen=True)
class Profile:
    """Gates by channel, the seed of their pauses, and how often the host's AXI4-Lite channels pause.

    With an odd seed the memory also takes write data before their address.
    """

    name: str
    seed: int
    gates: tuple[Gate, ...] = (Gate(),) * len(CHANNELS)
    host: float = 0.0

    @property
    def ready(self) -> bool:
        """Whether the memory never waits: then it is the reference memory, cycle by cycle."""
        return not any(gate.chance for gate in self.gates)


def _same(gate: Gate) -> Callable[[random.Random], tuple[Gate, ...]]:
    return lambda _: (gate,) * len(CHANNELS)


def _independent(rng: random.Random) -> tuple[Gate, ...]:
    return tuple(Gate(rng.choice([0, 8, 64, 128, 200]), rng.choice([0, 3, 15])) for _ in CHANNELS)


def _one_channel(rng: random.Random) -> tuple[Gate, ...]:
    slow = rng.randrange(len(CHANNELS))
    return tuple(Gate(16, LONG) if channel == slow else Gate() for channel in range(len(CHANNELS)))


ALWAYS_READY = "always ready"
NEVER = Profile(ALWAYS_READY, 1)
"""No channel ever waits."""
SHAPES: dict[str, Callable[[random.Random], tuple[Gate, ...]]] = {
    ALWAYS_READY: _same(Gate()),
    "every other cycle": _same(Gate(256, 0)),
    "one in five": _same(Gate(51, 0)),
    "short pauses": _same(Gate(64, 3)),
    "bursty": _same(Gate(12, 63)),
    "hundreds of cycles": _same(Gate(4, LONG)),
    "each its own": _independent,
    "one channel slow": _one_channel,
}


def profile(name: str, rng: random.Random, host: float = 0.0) -> Profile:
    """A profile of a named shape."""
    return Profile(name, rng.getrandbits(32), SHAPES[name](rng), host)
