# SPDX-License-Identifier: Apache-2.0
"""Programs that end with a chosen precise fault, behind random legal instructions and before some that must not run."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ga2.device.protocol import FaultReport
from ga2.golden.resolve import resolve
from ga2.isa.encoding import decode
from ga2.spec import Config
from verif.core.precise_targets import TARGETS, Target
from verif.programs.drawing import Drawing
from verif.programs.endings import HALT, NO_OP, spoilt
from verif.programs.generator import Generator
from verif.programs.program import Program

SETTINGS = "short"
TRIES = 200  # programs, and instructions in each
OLDER = 7  # random instructions before the faulty one, at most: fewer than the window holds
YOUNGER = 2
DRAIN = 12  # no-ops that let the window run empty, so that the cycle shows in which the fault is found


@dataclass(frozen=True)
class PreciseProgram:
    """A program, the pc to start it at, and the fault's kind in words."""

    name: str
    program: Program
    entry: int = 0


def _begun(config: Config, rng: random.Random) -> Drawing:
    """A prologue and some instructions."""
    seed = rng.getrandbits(32)
    drawing = Drawing(config, seed, SETTINGS, random.Random(seed), spare=False)
    drawing.generator.prologue()
    drawing.generator.body(rng.randint(0, OLDER))
    return drawing


def _in_place(generator: Generator, target: Target, word: int) -> bool:
    """Whether a scratchpad or bank fault names the operand that was spoilt and no other."""
    if target.fault not in ("scratchpad", "bank"):
        return True
    fault = resolve(word, 0, generator.config, generator.state)
    operand = decode(word).fields[target.where.split()[-1]]
    return isinstance(fault, FaultReport) and fault.address == operand.base or operand.a + operand.b > 0


def _about(target: Target, config: Config, rng: random.Random) -> Program:
    for _ in range(TRIES):
        drawing = _begun(config, rng)
        generator = drawing.generator
        older = [*generator.words]
        for _ in range(TRIES // 10):
            word = spoilt(generator, target)
            if word is not None and _in_place(generator, target, word):
                drain = [NO_OP] * DRAIN if rng.random() < 0.5 else []
                generator.body(YOUNGER)
                return drawing.case([*older, *drain, word, *generator.words[len(older) :], HALT]).to_program()
    raise RuntimeError(f"{config.name}: no program with the fault {target.name} in {TRIES} tries")


def _entry_beyond(config: Config, rng: random.Random) -> PreciseProgram:
    drawing = _begun(config, rng)
    entry = rng.choice([config.imem_depth, config.imem_depth + 1, 0x7FFF, 0xFFFF, 1 << 16, 0xFFFF_FFFF])
    return PreciseProgram("pc entry", drawing.case([*drawing.generator.words, HALT]).to_program(), entry)


def _runs_off(config: Config, rng: random.Random) -> PreciseProgram:
    """No HALT up to the end of the instruction memory."""
    drawing = _begun(config, rng)
    fill = config.imem_depth - len(drawing.generator.words)
    program = drawing.case([*[NO_OP] * fill, *drawing.generator.words]).to_program()
    return PreciseProgram("pc runs off", program, rng.randrange(fill + 1))


def _len_m(config: Config, rng: random.Random) -> PreciseProgram:
    drawing = _begun(config, rng)
    m = rng.randint(0, config.m_max)
    pairs = [(config.max_len - m + 1, m), (config.max_len, config.m_max), (0xFFFF, 0), (0, 0xFFFF), (0xFFFF, 0xFFFF)]
    pairs += [(1 << 16, 1), (1, 1 << 16), (0xFFFF_FFFF, 0xFFFF_FFFF)]  # saturate
    length, m = rng.choice([*pairs, (0, config.m_max + 1), (0, 256)])
    words = drawing.generator.words
    program = replace(drawing.case([*words, HALT]).to_program(), length=length, m=m)
    return PreciseProgram("len_m", program, rng.randrange(len(words)))


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
