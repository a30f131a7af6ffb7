# SPDX-License-Identifier: Apache-2.0
"""What a trace runs on a device, whichever it is, and what it keeps: JSON values, for they may cross a process."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ga2.device.checked import CheckedDevice
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import Device
from ga2.exactness.recorded import BLOCKS, CACHE, causality
from ga2.exactness.trace import TracedCore, inner_rows
from ga2.explain.subject import compiled
from ga2.models.shapes import VOCABULARY
from ga2.spec import Config
from ga2.speculation.accept import Block
from ga2.speculation.chip import ChipPlayer, Decoded, ProgramRun, decode
from ga2.speculation.session import Session, load
from ga2.stimulus import build_session
from ga2.timing.ops import SmOp

MASKS = ((1, 0), (4, 0), (4, 4), (5, 12))
"""(M, LEN) of the masks that are drawn."""
Report = Callable[[float], None]  # parts done, of `PARTS`
PARTS = 3


@dataclass(frozen=True)
class Wanted:
    """What to trace: `blocks` blocks of k guesses after `start`, of a target and its fitted draft, without noise."""

    target: str = "random"
    target_seed: int = 1
    draft: str = "table"
    k: int = 3
    start: int = 0
    blocks: int = 3

    @property
    def tokens(self) -> int:
        """So many tokens take at least `blocks` blocks."""
        return (self.blocks - 1) * (self.k + 1) + 1

    def check(self, config: Config) -> None:
        """ValueError, in one line, for what a configuration cannot do."""
        limits = {
            "k": (self.k, 1, config.m_max - 1),
            "start": (self.start, 0, VOCABULARY - 1),
            "blocks": (self.blocks, 1, (config.max_len - 1) // (max(self.k, 1) + 1) + 1),
            "target-seed": (self.target_seed, 0, 1 << 32),
        }
        for name, (value, least, most) in limits.items():
            if not least <= value <= most:
                raise ValueError(f"{name} must be from {least} to {most}, not {value}")

    def session(self, config: Config) -> Session:
        """The compiled model."""
        return build_session(config, self.target, self.target_seed, self.draft)


def block_facts(block: Block) -> dict[str, Any]:
    """A block in plain values."""
    return {"last": block.last, "guesses": list(block.guesses), "choices": list(block.choices),
            "accepted": block.accepted, "free": block.emitted[-1]}  # fmt: skip


async def perform(device: Device, golden: GoldenDevice, wanted: Wanted, report: Report) -> dict[str, Any]:
    """Everything. `golden` is the golden core beside the device, or the device itself; it gets a core that keeps what
    it writes."""
    core = golden.core = TracedCore(device.config)
    session = wanted.session(device.config)
    decoded = await decode(device, session, k=wanted.k, start=wanted.start, tokens=wanted.tokens)
    traced, anatomy = _blocks(decoded, wanted.blocks), await _anatomy(device, session, decoded, wanted.blocks)
    report(1)
    seen = await causality(device)
    report(2)
    masks = [await _mask(device, core, session, m, length) for m, length in MASKS]
    report(3)
    difference = device.difference if isinstance(device, CheckedDevice) else None
    return {
        "wanted": asdict(wanted),
        "config": device.config.name,
        "blocks": traced,
        "anatomy": anatomy,
        "causality": {"cache": list(CACHE), "blocks": [list(block) for block in BLOCKS], "changed": seen.changed},
        "masks": masks,
        "difference": None if difference is None else str(difference),
    }


def _blocks(decoded: Decoded, count: int) -> list[dict[str, Any]]:
    """The first blocks with the cycles of their guesses and of their pass."""
    found, runs = [], iter(decoded.programs_run)
    for block in decoded.blocks_run[:count]:
        guesses = [next(runs).result.counters["total"] for _ in block.guesses]
        verified = next(runs)
        found.append(block_facts(block) | {"length": verified.length, "draft_cycles": sum(guesses),
                                           "verify_cycles": verified.result.counters["total"]})  # fmt: skip
    return found


async def _anatomy(device: Device, session: Session, decoded: Decoded, blocks: int) -> dict[str, Any]:
    """The verifier of the last traced block, and one-row steps over the same positions."""
    passes = [run for run in decoded.programs_run if run.entry == session.target.name]
    verifier = passes[blocks - 1]
    await load(device, session)
    player = ChipPlayer(device, session)
    for row, token in enumerate(verifier.ids):
        await player.verify([token], verifier.length + row)
    return {
        "length": verifier.length,
        "tokens": list(verifier.ids),
        "verifier": _program(session, [verifier]),
        "steps": _program(session, player.runs),
    }


def _program(session: Session, runs: Sequence[ProgramRun]) -> dict[str, Any]:
    """Instructions by opcode, words loaded and stored, and counters: sums over runs of the target."""
    opcodes: dict[str, int] = {}
    words = {"loaded": 0, "stored": 0}
    counters: dict[str, int] = {}
    for run in runs:
        subject = compiled(session.model, session.target.name, run.length, run.m)
        for resolved in subject.resolved(run.length, run.m):
            opcode = resolved.instruction.op
            opcodes[opcode] = opcodes.get(opcode, 0) + 1
            if opcode in ("LD", "LDG", "ST") and resolved.op is not None:
                words["stored" if opcode == "ST" else "loaded"] += resolved.dims["rows"] * resolved.dims["words"]
        for name, value in run.result.counters.items():
            counters[name] = counters.get(name, 0) + value
    return {"programs": len(runs), "opcodes": opcodes, "words": words, "counters": counters}


async def _mask(device: Device, core: TracedCore, session: Session, m: int, length: int) -> dict[str, Any]:
    """Row by key: the attention bytes that the softmax unit wrote, and how many keys the program let each row see."""
    await load(device, session)
    player = ChipPlayer(device, session)
    tokens = [position % session.vocabulary for position in range(length + m)]
    if length:
        await player.verify(tokens[:length], 0)
    await player.verify(tokens[length:], length)
    bytes_ = inner_rows(session.target, core)["probabilities"][:, : length + m]
    subject = compiled(session.model, session.target.name, length, m)
    (softmax,) = [each.op for each in subject.resolved(length, m) if isinstance(each.op, SmOp)]
    seen = [softmax.len + row * softmax.step for row in range(softmax.rows)]
    return {"m": m, "length": length, "seen": seen, "bytes": bytes_.tolist()}
