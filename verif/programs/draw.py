# SPDX-License-Identifier: Apache-2.0
"""A seed becomes a case, and a case's program what the benches run."""

import random

from ga2.device.protocol import FaultReport
from ga2.golden.resolve import resolve
from ga2.spec import Config
from ga2.timing.model import Refusal, timeline
from verif.programs.case import Case, End
from verif.programs.drawing import Drawing, named_settings
from verif.programs.endings import HALT, NO_OP, beyond_limits, faulty
from verif.programs.generator import Score
from verif.programs.generator_settings import Ending
from verif.programs.program import Program
from verif.programs.sizes import weighted

DEFAULT = "default"
YOUNGER = 2  # instructions behind one that is refused: they must not run
SOON = (1, 4)  # cycles: a watchdog's period that ends every program
LATE = 1.1  # an abort comes at most so much later than the predicted end


def draw_case(
    config: Config, seed: int, settings: str = DEFAULT, score: Score | None = None, ending: Ending | None = None
) -> Case:
    """The case of a seed; how it ends the settings decide, unless an `ending` is given.

    SettingsError for unknown settings; with a `score`, what it prefers depends on that too.
    """
    rng, chosen = random.Random(seed), named_settings(settings)
    kind = ending or weighted(rng, chosen.endings)
    fault = weighted(rng, chosen.faults) if kind == "fault" else ""
    drawing = Drawing(config, seed, settings, rng, spare=not fault, score=score)
    generator = drawing.generator
    generator.prologue()
    generator.body(rng.randint(*chosen.instructions))
    words, about, limits, entry = [*generator.words], fault, None, 0
    if fault == "pc":
        entry = config.imem_depth - len(words)
        words = [NO_OP] * entry + words
    elif fault == "len_m":
        limits = beyond_limits(generator)
        words.append(HALT)
    elif fault:
        about, word = faulty(generator, fault)
        generator.body(YOUNGER)
        words += [word, *generator.words[len(words) :], HALT]
    else:
        words.append(HALT)
    return drawing.case(words, End(kind=kind, cycles=_cycles(drawing, kind), about=about), entry, limits)


def random_program(config: Config, seed: int, settings: str = "base") -> Program:
    """The program of a seed, drawn by settings whose programs all end with HALT or a precise fault."""
    return draw_case(config, seed, settings).to_program()


def _cycles(drawing: Drawing, kind: Ending) -> int:
    """When the host interferes, if it does."""
    generator, rng = drawing.generator, drawing.rng
    if kind == "watchdog":
        return rng.randint(*SOON)
    if kind not in ("abort", "reset"):
        return 0
    program = [resolve(word, 0, drawing.config, generator.state) for word in generator.words]
    legal = [each for each in program if not isinstance(each, FaultReport)]
    return rng.randint(1, int(LATE * timeline(drawing.config, legal, Refusal(0)).finish))
