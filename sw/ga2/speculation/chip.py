# SPDX-License-Identifier: Apache-2.0
"""The host loop on a core: draft guesses and target passes are programs, and every program is accounted for."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from capra import Program
from ga2.device.protocol import Device, FaultReport, RunResult
from ga2.speculation.accept import Block
from ga2.speculation.greedy import Progress, Run, play
from ga2.speculation.ledger import Ledger
from ga2.speculation.players import Player, chained
from ga2.speculation.policy import Policy
from ga2.speculation.session import Session, load


class DecodeError(RuntimeError):
    """A program stopped with a fault, or stored an id outside the vocabulary; the message names program, LEN and M."""


@dataclass(frozen=True)
class ProgramRun:
    """One run of the core: which program, on which LEN and M, with which ids, and what it counted.

    ids: those of the block's rows, written by the host or, but for the first, guessed by the program itself: `guesses`.
    """

    entry: str
    length: int
    ids: tuple[int, ...]
    choices: tuple[int, ...]
    result: RunResult
    guesses: tuple[int, ...] = ()

    @property
    def m(self) -> int:
        """Block rows."""
        return len(self.ids)


@dataclass(frozen=True)
class Decoded:
    """A finished decoding. Cycles are the `total` counter; `wall` runs from the first START to the last irq."""

    run: Run
    programs_run: tuple[ProgramRun, ...]
    counters: dict[str, int] = field(default_factory=dict)

    @property
    def ledger(self) -> Ledger:
        """The books: tokens, cache length and counts."""
        return self.run.ledger

    @property
    def blocks_run(self) -> tuple[Block, ...]:
        """Every block with its guesses and choices."""
        return self.run.blocks

    @property
    def tokens(self) -> list[int]:
        """The start and the wanted tokens after it, up to the end token."""
        return self.run.tokens

    @property
    def accepted(self) -> int:
        """Guesses that the target agreed with."""
        return self.ledger.accepted

    @property
    def proposed(self) -> int:
        """Guesses that the draft made."""
        return self.ledger.proposed

    @property
    def blocks(self) -> int:
        """Target passes."""
        return self.ledger.blocks

    @property
    def emitted(self) -> int:
        """Tokens that the blocks committed, those beyond the wanted number included."""
        return self.ledger.emitted

    @property
    def discarded(self) -> int:
        """Emitted tokens that are not in `tokens`: beyond the wanted number, or after the end token."""
        return self.run.discarded

    @property
    def programs(self) -> int:
        """Runs of the core: one a guess unless the host guesses, and one a target pass; or one a block."""
        return len(self.programs_run)

    @property
    def cycles(self) -> int:
        """The sum of every program's `total`."""
        return self.counters.get("total", 0)

    @property
    def wall(self) -> int:
        """Cycles from the first START to the last irq, host and register traffic included."""
        return self.programs_run[-1].result.irq_cycle - self.programs_run[0].result.start_cycle


def check_id(value: int, vocabulary: int, what: str) -> int:
    """`value`, or DecodeError if it is no token."""
    if not 0 <= value < vocabulary:
        raise DecodeError(f"{what} is {value}, outside the vocabulary of {vocabulary}")
    return value


def fault_text(fault: FaultReport, entry: str, length: int, m: int) -> str:
    """One line on a program that stopped."""
    where = f"at pc {fault.pc}, address {fault.address:#x}"
    return f"program {entry} with LEN = {length}, M = {m}: fault {fault.name} {where}"


class ChipPlayer(Player):
    """Draft and target as programs on a device. Rolling back is running the target with a smaller LEN: no copy."""

    def __init__(self, device: Device, session: Session) -> None:
        self.device, self.session = device, session
        self.capacity = session.config.max_len
        self.runs: list[ProgramRun] = []

    async def guess(self, token: int) -> int:
        """One run of the draft."""
        return (await self.run(self.session.draft, (token,), 0))[0]

    async def propose(self, text: Sequence[int], count: int) -> tuple[int, ...]:
        """A run of the draft for every guess."""
        return await chained(self.guess, text[-1], count)

    async def verify(self, tokens: Sequence[int], cache_length: int) -> list[int]:
        """One run of the target; it appends the block's keys and values to the cache at row `cache_length`."""
        return await self.run(self.session.target, tuple(tokens), cache_length)

    async def run(self, program: Program, tokens: tuple[int, ...], length: int) -> list[int]:
        """One run of `program` on a cache of `length` rows; the choice of every row. DecodeError on a fault."""
        await self.give(program, "ids", tokens)
        result = await self.finish(program, length, len(tokens))
        choices = await self.ids(program, "choice", length, len(tokens))
        self.runs.append(ProgramRun(program.name, length, tokens, tuple(choices), result))
        return choices

    async def give(self, program: Program, name: str, tokens: Sequence[int]) -> None:
        """Write ids as an input of a program."""
        symbol = program.inputs[name]
        await self.device.write(symbol.address, symbol.pack(np.array(tokens)[:, np.newaxis]))

    async def finish(self, program: Program, length: int, m: int) -> RunResult:
        """Start a program and wait for its end. DecodeError on a fault."""
        result = await self.device.run(program.name, length, m)
        if result.fault is not None:
            raise DecodeError(fault_text(result.fault, program.name, length, m))
        return result

    async def ids(self, program: Program, name: str, length: int, m: int, count: int | None = None) -> list[int]:
        """The first `count` ids (m by default) of an output. DecodeError if one is no token."""
        symbol = program.outputs[name]
        stored = symbol.unpack(await self.device.read(symbol.address, (m if count is None else count) * symbol.pitch))
        what = f"a {name.removesuffix('es')} of program {program.name} with LEN = {length}, M = {m}"
        return [check_id(int(value), self.session.vocabulary, what) for value in stored.ravel()]


def sum_counters(runs: Sequence[ProgramRun]) -> dict[str, int]:
    """Every counter, summed over programs."""
    total: Counter[str] = Counter()
    for run in runs:
        total.update(run.result.counters)
    return dict(total)


async def decode(
    device: Device,
    session: Session,
    *,
    k: int | Policy,
    start: int,
    tokens: int,
    end: int | None = None,
    player_of: Callable[[Device, Session], ChipPlayer] = ChipPlayer,
    progress: Progress | None = None,
) -> Decoded:
    """Load the model and emit `tokens` tokens after `start`, fewer if `end` comes before, with k guesses a block.

    k = 0 is plain decoding; a policy chooses k for every block. Loading is not counted. `player_of` makes the player.
    ValueError for a bad k, start, end or number; DecodeError if a program faults.
    """
    config = session.config
    if isinstance(k, int) and not 0 <= k < config.m_max:
        raise ValueError(f"k = {k}: expected 0 to {config.m_max - 1}, since a block has k + 1 <= {config.m_max} rows")
    for name, token in (("start", start), ("end", start if end is None else end)):
        if not 0 <= token < session.vocabulary:
            raise ValueError(f"{name} token {token}: expected 0 to {session.vocabulary - 1}")
    if not 1 <= tokens <= config.max_len:
        raise ValueError(f"{tokens} tokens: expected 1 to {config.max_len}, the cache rows of {config.name}")
    await load(device, session)
    player = player_of(device, session)
    run = await play(player, k=k, start=start, tokens=tokens, end=end, progress=progress)
    return Decoded(run, tuple(player.runs), sum_counters(player.runs))
