# SPDX-License-Identifier: Apache-2.0
"""Draws the instructions of one program, each legal where it stands, by a model of what the scratchpad then holds.

Legality has one definition, dispatch's (`ga2.golden.resolve`); the model (`verif.programs.pad`) adds that nothing
undefined is read and that every gathered id lies below its limit. Where a score is given, several candidates are drawn
for each place, and the one with the highest score wins.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ga2.device.protocol import WINDOWS, FaultReport, Window
from ga2.golden.resolve import Resolved, State, resolve
from ga2.isa.encoding import Dim, EncodeError, Ext, Instruction, Operand, encode
from ga2.spec import Config
from verif.programs.computations import Computations
from verif.programs.cost import cycles
from verif.programs.generator_settings import Settings
from verif.programs.layout import FILL, FILL_WORDS, ID_ROWS, fixed_windows, spare_windows
from verif.programs.pad import Pad
from verif.programs.placing import Placer
from verif.programs.sizes import Sizes, register, weighted
from verif.programs.transfers import Transfers, loaded_bound

TRIES = 300  # draws of one instruction
CANDIDATES = 4  # among which a score chooses
BLOCKS = (5, 7)  # of defined words that the prologue loads, each in a bank of its own
SHARE = 60  # cycles that an instruction may take in any case
SOME_LENGTH = 40  # cache rows where LEN is "some"


@dataclass(frozen=True)
class Sofar:
    """Where a candidate would stand: behind the instructions chosen so far."""

    config: Config
    state: State
    chosen: Sequence[Resolved]


Score = Callable[[Resolved, Sofar], int]


class Generator:
    """The instructions of one program for `config`, and the state that they are drawn from.

    With `spare` the fourth window may show something; else it stays empty, for whoever provokes a fault with it.
    """

    def __init__(
        self, config: Config, settings: Settings, rng: random.Random, spare: bool = True, score: Score | None = None
    ) -> None:
        self.config, self.settings, self.rng, self.score = config, settings, rng, score
        m = register(rng, settings.m, config.m_max - 1, config.m_max)
        length = register(rng, settings.length, SOME_LENGTH, config.max_len - m)
        fourth = rng.choice(spare_windows(config)) if spare else Window(0, 0)
        self.windows: tuple[Window, ...] = (*fixed_windows(config), fourth)
        self.state = State(length, m, self.windows)
        self.pad = Pad(config.spad_words)
        self.chosen: list[Resolved] = []
        self.words: list[int] = []
        self.spent = 0
        self.constants = config.cmem_depth if rng.random() < settings.full_range / 8 else min(
            config.cmem_depth, 5 * config.cols + rng.randint(0, 24)
        )  # fmt: skip
        self.sizes = Sizes(config, settings, self.state, rng)
        self.placer = Placer(config, settings, self.sizes, self.pad, rng)
        transfers, computations = Transfers(self.placer), Computations(self.placer, self.constants)
        self.draws = {
            "LD": transfers.load, "LDG": transfers.gather, "ST": transfers.store, "MM": computations.product,
            "SM": computations.softmax, "VEC": computations.vector, "AMAX": computations.argmax,
        }  # fmt: skip

    def set_window(self, index: int, window: Window) -> None:
        """Set one window of the program."""
        padded = [*self.windows, *[Window(0, 0)] * (WINDOWS - len(self.windows))]
        padded[index] = window
        self.set_windows(tuple(padded))

    def set_windows(self, windows: tuple[Window, ...]) -> None:
        """Set all windows of the program."""
        self.windows = windows
        self.state = self.sizes.state = State(self.state.length, self.state.m, windows)

    def prologue(self) -> None:
        """Load some blocks of data and one or both lists of ids."""
        rng, config = self.rng, self.config
        size = max(64, 10 * config.cols)
        for bank in rng.sample(range(config.banks), rng.randint(*BLOCKS)):
            first, last = bank * config.bank_words, (bank + 1) * config.bank_words
            beyond = [last - size // 2] if bank < config.banks - 1 else []
            self._load(rng.choice([first, last - size, *beyond, *rng.choices(range(first, last - size + 1), k=2)]),
                       size, 2 * ID_ROWS + rng.randint(0, FILL_WORDS - 2 * ID_ROWS - size))  # fmt: skip
        for offset in rng.choice(((0,), (ID_ROWS,), (0, ID_ROWS))):
            self._load(rng.randint(0, config.spad_words - ID_ROWS), ID_ROWS, offset)

    def body(self, count: int) -> None:
        """Up to `count` random instructions, as many as the settings' cycles allow."""
        for left in range(count, 0, -1):
            found = [each for _ in range(CANDIDATES if self.score else 1) if (each := self._draw(left)) is not None]
            if not found:
                return
            sofar = Sofar(self.config, self.state, self.chosen)
            score = self.score
            self._take(*(max(found, key=lambda each: score(each[1], sofar)) if score else found[0]))

    def working(self, op: str) -> Instruction | None:
        """A legal instruction of an opcode that does something, if there is one; it is not part of the program."""
        for _ in range(TRIES):
            drawn = self._legal(op)
            if drawn is not None and drawn[1].op is not None:
                return drawn[1].instruction
        return None

    def _draw(self, left: int) -> tuple[int, Resolved] | None:
        """An instruction that leaves enough cycles for the `left` that are still to come."""
        room = max(SHARE, self.settings.cycles - self.spent - SHARE * (left - 1))
        for _ in range(TRIES):
            drawn = self._legal(weighted(self.rng, self.settings.opcodes))
            if drawn is not None and cycles(self.config, drawn[1]) <= room:
                return drawn
        return None

    def _legal(self, op: str) -> tuple[int, Resolved] | None:
        """A drawn instruction, its word too, if dispatch lets it pass here and everything it reads is defined."""
        instruction = self.draws[op]()
        if instruction is None:
            return None
        try:
            word = encode(instruction)
        except EncodeError:  # LEN or M take a place or a size out of its field
            return None
        resolved = resolve(word, 0, self.config, self.state)
        if isinstance(resolved, FaultReport) or not self._defined(resolved):
            return None
        return word, resolved

    def _defined(self, resolved: Resolved) -> bool:
        ids = resolved.operand("ids")
        if ids is not None and not 0 < self.pad.ids_below(ids) <= resolved.instruction.fields["limit"]:
            return False
        return self.pad.reads_defined(resolved)

    def _take(self, word: int, resolved: Resolved) -> None:
        self.words.append(word)
        self.chosen.append(resolved)
        self.spent += cycles(self.config, resolved)
        self.pad.apply(resolved, loaded_bound(resolved, self.config.cols))
        self.placer.note(resolved)

    def _load(self, start: int, words: int, offset: int) -> None:
        fields = {"rows": Dim(1), "words": Dim(words), "dst": Operand(start, words), "ext": Ext(offset, words, FILL)}
        word = encode(Instruction("LD", fields))
        resolved = resolve(word, 0, self.config, self.state)
        assert isinstance(resolved, Resolved), resolved
        self._take(word, resolved)
