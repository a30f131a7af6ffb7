# SPDX-License-Identifier: Apache-2.0
"""What the bench runs, by name, on any device: decodings, single passes, decoding with resident weights."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from capra import Program
from capra.resident import LOADER
from ga2.bench.models import layer_session, resident_session, tiny_session
from ga2.decoding.backends import MEMORY_BYTES
from ga2.decoding.parts import session_of as decoding_session
from ga2.decoding.request import Request
from ga2.device.protocol import Device
from ga2.spec import CONFIG_NAMES, load_config
from ga2.speculation.block_player import FORMS
from ga2.speculation.chip import ChipPlayer, DecodeError, decode, fault_text
from ga2.speculation.greedy import play as play_loop
from ga2.speculation.session import Session, load

TOKENS = 32
GUESSES = 3
POOR = 4.0  # noise of a draft that is wrong more often than right
CHAINED = "matmul_chain_3"

DECODINGS = {
    "plain": Request(k=0, tokens=TOKENS),
    "speculative": Request(k=GUESSES, tokens=TOKENS),
    "table": Request(draft="table", k=GUESSES, tokens=TOKENS),
    "block": Request(k=GUESSES, tokens=TOKENS, form="block"),
    "block_poor": Request(noise=POOR, k=GUESSES, tokens=TOKENS, form="block"),
}


@dataclass(frozen=True)
class Pass:
    """One run of a program on `length` cached rows and `m` rows."""

    session: Callable[[str], Session]
    program: str
    length: int
    m: int = 1


PASSES = {
    "step": Pass(tiny_session, "target", 12),
    "verifier": Pass(tiny_session, "target", 12, GUESSES + 1),
    "guess": Pass(tiny_session, "draft_matmul", 0),
    "chain": Pass(tiny_session, CHAINED, 0),
    "layer": Pass(layer_session, "target", 64),
}
EVERYWHERE = ("plain", "speculative", "resident")
ALSO = {"nano": ("table", "block", "block_poor", "step", "verifier", "guess", "chain"), "base": ("layer",)}


@dataclass(frozen=True)
class Ran:
    """One program that ran: which, on which sizes, and what it counted."""

    program: str
    length: int
    m: int
    counters: dict[str, int]


def tasks(config: str) -> tuple[str, ...]:
    """The names of all that the bench runs on a configuration."""
    return EVERYWHERE + ALSO.get(config, ())


def all_tasks(configs: Sequence[str] = CONFIG_NAMES) -> list[tuple[str, str]]:
    """(configuration, task) of everything."""
    return [(config, task) for config in configs for task in tasks(config)]


def session_of(config: str, task: str) -> Session:
    """The model that a task runs. KeyError: no such task."""
    if task == "resident":
        return resident_session(config)
    if task in DECODINGS:
        return decoding_session(DECODINGS[task], load_config(config))
    return PASSES[task].session(config)


def memory_bytes(config: str) -> int:
    """External memory that holds every model of a configuration's tasks."""
    end = max(session_of(config, task).model.end for task in tasks(config))
    return max(MEMORY_BYTES, 1 << (end - 1).bit_length())


async def perform(device: Device, task: str) -> list[Ran]:
    """Every program of a task, in order, with the counters that the device gives. DecodeError if one faults."""
    session = session_of(device.config.name, task)
    if task in DECODINGS:
        asked = DECODINGS[task]
        decoded = await decode(device, session, k=asked.k, start=asked.start, tokens=asked.tokens,
                               player_of=FORMS[asked.form])  # fmt: skip
        return [Ran(run.entry, run.length, run.m, run.result.counters) for run in decoded.programs_run]
    await load(device, session)
    if task == "resident":
        return await _resident(device, session)
    asked_pass = PASSES[task]
    program = session.model.programs[asked_pass.program]
    await _fill(device, session, program, asked_pass.m)
    return [await _once(device, program.name, asked_pass.length, asked_pass.m)]


async def _resident(device: Device, session: Session) -> list[Ran]:
    """The weights once, then plain decoding that never loads any."""
    first = await _once(device, LOADER, 0, 1)
    player = ChipPlayer(device, session)
    await play_loop(player, k=0, start=0, tokens=TOKENS)
    return [first, *(Ran(run.entry, run.length, run.m, run.result.counters) for run in player.runs)]


async def _fill(device: Device, session: Session, program: Program, m: int) -> None:
    """Drawn ids and caches: the same bytes every time."""
    source = np.random.default_rng(1)
    for cache in session.model.caches.values():
        await device.write(cache.address, source.integers(0, 256, cache.rows * cache.pitch, np.uint8).tobytes())
    ids = program.inputs["ids"]
    await device.write(ids.address, ids.pack(source.integers(0, session.vocabulary, (m, 1))))


async def _once(device: Device, program: str, length: int, m: int) -> Ran:
    result = await device.run(program, length, m)
    if result.fault is not None:
        raise DecodeError(fault_text(result.fault, program, length, m))
    return Ran(program, length, m, result.counters)
