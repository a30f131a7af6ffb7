# SPDX-License-Identifier: Apache-2.0
"""Programs that end with a chosen precise fault, behind random legal instructions and before some that must not run."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ga2.device.protocol import FaultReport
from ga2.golden.resolve import resolve
from ga2.isa.encoding import Dim, Instruction, encode
from ga2.spec import Config
from verif.core.precise_targets import TARGETS, Target
from verif.core.random_programs import Generator, finished
from verif.programs.program import Program

HALT = encode(Instruction("HALT"))
NO_OP = encode(Instruction("LD", {"rows": Dim(0), "words": Dim(1)}))
TRIES = 200  # instructions from one generator, and generators
OLDER = 7  # random instructions before the faulty one, at most: fewer than the window holds
DRAIN = 12  # no-ops that let the window run empty, so that the cycle shows in which the fault is found


@dataclass(frozen=True)
class PreciseProgram:
    """A program, the pc to start it at, and the fault's kind in words."""

    name: str
    program: Program
    entry: int = 0


def _spoilt(generator: Generator, target: Target) -> int | None:
    """A word that dispatch refuses with the target's fault at the target's place."""
    windows = generator.windows
    for _ in range(TRIES // 10):
        instruction = Instruction("HALT") if target.op == "HALT" else generator.working(target.op)
        spoilt = target.spoil(generator, instruction)
        if spoilt is not None:
            word = spoilt if isinstance(spoilt, int) else encode(spoilt)
            fault = resolve(word, 0, generator.config, generator.state)
            if isinstance(fault, FaultReport) and fault.name == target.fault and _in_place(target, spoilt, fault):
                return word
        generator.set_windows(windows)
    return None


def _in_place(target: Target, spoilt: Instruction | int, fault: FaultReport) -> bool:
    """Whether a scratchpad or bank fault names the operand that was spoilt and no other."""
    if isinstance(spoilt, int) or target.fault not in ("scratchpad", "bank"):
        return True
    operand = spoilt.fields[target.where.split()[-1]]
    return fault.address == operand.base or operand.a + operand.b > 0


def _about(target: Target, config: Config, rng: random.Random) -> Program:
    for _ in range(TRIES):
        seed = rng.getrandbits(32)
        generator = Generator(config, seed)
        older = [generator.instruction() for _ in range(rng.randint(0, OLDER))]
        word = _spoilt(generator, target)
        if word is not None:
            if rng.random() < 0.5:
                older += [NO_OP] * DRAIN
            younger = [generator.instruction() for _ in range(2)]
            return finished(generator, seed, [*generator.prologue(), *older, word, *younger, HALT])
    raise RuntimeError(f"{config.name}: no program with the fault {target.name} in {TRIES} tries")


def _plain(config: Config, rng: random.Random) -> tuple[Generator, int, list[int]]:
    seed = rng.getrandbits(32)
    generator = Generator(config, seed)
    return generator, seed, generator.prologue() + [generator.instruction() for _ in range(rng.randint(0, OLDER))]


def _entry_beyond(config: Config, rng: random.Random) -> PreciseProgram:
    generator, seed, body = _plain(config, rng)
    entry = rng.choice([config.imem_depth, config.imem_depth + 1, 0x7FFF, 0xFFFF, 1 << 16, 0xFFFF_FFFF])
    return PreciseProgram("pc entry", finished(generator, seed, [*body, HALT]), entry)


def _runs_off(config: Config, rng: random.Random) -> PreciseProgram:
    """No HALT up to the end of the instruction memory."""
    generator, seed, body = _plain(config, rng)
    fill = config.imem_depth - len(body)
    return PreciseProgram("pc runs off", finished(generator, seed, [*[NO_OP] * fill, *body]), rng.randrange(fill + 1))


def _len_m(config: Config, rng: random.Random) -> PreciseProgram:
    generator, seed, body = _plain(config, rng)
    m = rng.randint(0, config.m_max)
    pairs = [(config.max_len - m + 1, m), (config.max_len, config.m_max), (0xFFFF, 0), (0, 0xFFFF), (0xFFFF, 0xFFFF)]
    pairs += [(1 << 16, 1), (1, 1 << 16), (0xFFFF_FFFF, 0xFFFF_FFFF)]  # saturate
    length, m = rng.choice([*pairs, (0, config.m_max + 1), (0, 256)])
    program = replace(finished(generator, seed, [*body, HALT]), length=length, m=m)
    return PreciseProgram("len_m", program, rng.randrange(len(body)))


SPECIAL = (_entry_beyond, _runs_off, _len_m)
COUNT = len(TARGETS) + len(SPECIAL)


def precise_program(config: Config, index: int, rng: random.Random) -> PreciseProgram:
    """The index-th kind, modulo their number, with random particulars."""
    index %= COUNT
    if index < len(TARGETS):
        return PreciseProgram(TARGETS[index].name, _about(TARGETS[index], config, rng))
    return SPECIAL[index - len(TARGETS)](config, rng)


def names() -> Sequence[str]:
    """What the kinds are called, in order."""
    return [*(target.name for target in TARGETS), "pc entry", "pc runs off", "len_m"]


