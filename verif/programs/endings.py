# SPDX-License-Identifier: Apache-2.0
"""How programs end badly: the instruction that dispatch refuses, wherever such a fault can occur."""

from ga2.device.protocol import FaultReport
from ga2.golden.resolve import resolve
from ga2.isa.encoding import Dim, Instruction, encode
from verif.core.precise_targets import TARGETS, Target
from verif.programs.generator import Generator

TRIES = 300
HALT = encode(Instruction("HALT"))
NO_OP = encode(Instruction("LD", {"rows": Dim(0), "words": Dim(1)}))
BEFORE_DECODING = ("pc", "len_m")
"""Precise faults that no instruction of a program has by itself."""


def faulty(generator: Generator, fault: str) -> tuple[str, int]:
    """(what is wrong, the word) of an instruction with the precise fault `fault`, drawn where the program now is."""
    targets = [target for target in TARGETS if target.fault == fault]
    for _ in range(TRIES):
        target = generator.rng.choice(targets)
        word = spoilt(generator, target)
        if word is not None:
            return target.name, word
    raise RuntimeError(f"{generator.config.name}: no instruction with the fault {fault} in {TRIES} tries")


def spoilt(generator: Generator, target: Target) -> int | None:
    """A word that dispatch refuses with the target's fault, if the instruction that was drawn can be spoilt so."""
    windows = generator.windows
    instruction = Instruction("HALT") if target.op == "HALT" else generator.working(target.op)
    wrong = target.spoil(generator, instruction) if instruction else None
    if wrong is not None:
        word = wrong if isinstance(wrong, int) else encode(wrong)
        refused = resolve(word, 0, generator.config, generator.state)
        if isinstance(refused, FaultReport) and refused.name == target.fault:
            return word
    generator.set_windows(windows)
    return None


def beyond_limits(generator: Generator) -> tuple[int, int]:
    """LEN and M whose sum, or M alone, the core refuses."""
    rng, config = generator.rng, generator.config
    m = rng.randint(0, config.m_max)
    pairs = ((config.max_len - m + 1, m), (0, config.m_max + 1), (0xFFFF, 0xFFFF), (0xFFFF_FFFF, 1))
    return rng.choice(pairs)
