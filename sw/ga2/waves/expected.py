# SPDX-License-Identifier: Apache-2.0
"""The block as the golden model decodes it: who guessed what, what was kept, and when every instruction retires."""

from dataclasses import dataclass, field

from ga2.decoding.parts import player_of
from ga2.decoding.request import Request
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.golden.interpreter import Outcome
from ga2.golden.resolve import Resolved
from ga2.spec import Config
from ga2.speculation.accept import Block
from ga2.speculation.chip import ProgramRun, decode
from ga2.speculation.session import Session
from ga2.timing.model import Timeline, counters, timeline


class NoSuchBlock(ValueError):
    """A block that the decoding does not have; the message says how many there are."""


@dataclass
class Recorder:
    """Predicts counters for a golden device, and keeps of every program what it executed."""

    programs: list[list[Resolved]] = field(default_factory=list)

    def predict(self, config: Config, outcome: Outcome) -> dict[str, int]:
        """The timing model's counters; empty for a run that a fault ended."""
        self.programs.append(outcome.resolved)
        return {} if outcome.fault else counters(config, timeline(config, outcome.resolved))


@dataclass(frozen=True)
class ExpectedProgram:
    """One program of the block: what was asked, and its instructions in time."""

    run: ProgramRun
    resolved: list[Resolved]
    timeline: Timeline


@dataclass(frozen=True)
class ExpectedBlock:
    """Block `number` (from 1) of `blocks`. before: tokens committed before it, the start first; length: cache rows."""

    number: int
    blocks: int
    block: Block
    before: tuple[int, ...]
    length: int
    programs: tuple[ExpectedProgram, ...]

    @property
    def m(self) -> int:
        """Rows that the target verifies."""
        return len(self.block.rows)

    @property
    def emitted(self) -> int:
        """Tokens after the start, this block's included."""
        return len(self.before) - 1 + len(self.block.emitted)


def expected_block(config: Config, session: Session, request: Request, number: int, memory_bytes: int) -> ExpectedBlock:
    """Decode on the golden model and take block `number`, from 1 up; NoSuchBlock if there are fewer."""
    recorder = Recorder()
    golden = GoldenDevice(config, memory_bytes, recorder.predict)
    decoded = run_sync(
        decode(golden, session, k=request.k, start=request.start, tokens=request.tokens, player_of=player_of(request))
    )
    blocks = decoded.blocks_run
    if not 1 <= number <= len(blocks):
        raise NoSuchBlock(f"no block {number}: this decoding has {len(blocks)}, counted from 1")
    earlier, block = blocks[: number - 1], blocks[number - 1]
    before = [request.start, *(token for each in earlier for token in each.emitted)]
    ends = [index + 1 for index, run in enumerate(decoded.programs_run) if run.entry in session.verifiers]
    first, last = (0, *ends)[number - 1 : number + 1]
    ran = zip(decoded.programs_run[first:last], recorder.programs[first:last], strict=True)
    programs = tuple(ExpectedProgram(run, resolved, timeline(config, resolved)) for run, resolved in ran)
    return ExpectedBlock(number, len(blocks), block, tuple(before), programs[-1].run.length, programs)
