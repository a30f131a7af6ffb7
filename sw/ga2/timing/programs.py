# SPDX-License-Identifier: Apache-2.0
"""Cycles of a compiled program for LEN and M without running it: the timing does not depend on bytes."""

from collections.abc import Sequence
from functools import lru_cache

from ga2.device.protocol import FaultReport, Window
from ga2.golden.resolve import Resolved, State, check_start, resolve
from ga2.spec import Config
from ga2.timing.model import Timeline, timeline

CACHED = 1 << 15


def program_line(
    config: Config, words: Sequence[int], windows: Sequence[Window], length: int, m: int, name: str = "a program"
) -> Timeline:
    """When each of the program's instructions starts and ends; ValueError, with `name`, if it would fault."""
    state, program = State(length, m, windows), list[Resolved]()
    fault = check_start(config, state, 0)
    for pc, word in enumerate(words):
        resolved = fault or resolve(word, pc, config, state)
        if isinstance(resolved, FaultReport):
            raise ValueError(f"{config.name}: {name} with LEN = {length}, M = {m} faults: {resolved}")
        program.append(resolved)
        if resolved.halt:
            break
    return timeline(config, program)


@lru_cache(maxsize=CACHED)
def program_cycles(
    config: Config, words: tuple[int, ...], windows: tuple[Window, ...], length: int, m: int
) -> int:
    """The `total` counter of a program on the reference memory; ValueError if it would fault."""
    return program_line(config, words, windows, length, m).finish + 1
