# SPDX-License-Identifier: Apache-2.0
"""Places operands in the scratchpad: sources where all is defined, destinations where they collide.

Each method answers with None if it finds no place; dispatch (`ga2.golden.resolve`) has the last word on legality.
"""

import random
from collections import deque
from collections.abc import Iterator

import numpy as np

from ga2.golden.resolve import Access, Resolved
from ga2.isa.encoding import Operand
from ga2.spec import Config
from verif.programs.generator_settings import Settings
from verif.programs.pad import Pad, touched
from verif.programs.sizes import Sizes, weighted

RECENT = 12  # operands remembered
TRIES = 6
LOOSE = (1, 1, 2, 3)
WIDEST_PITCH = 4095


class Placer:
    """Remembers the operands of the last instructions, for others to be laid on or beside them."""

    def __init__(self, config: Config, settings: Settings, sizes: Sizes, pad: Pad, rng: random.Random) -> None:
        self.config, self.settings, self.sizes, self.pad, self.rng = config, settings, sizes, pad, rng
        self.recent: deque[Access] = deque(maxlen=RECENT)

    def note(self, resolved: Resolved) -> None:
        """The instruction was chosen."""
        self.recent.extend(resolved.operands)

    def source(self, rows: int, words: int, banks: int = 0, ids: bool = False) -> Operand | None:
        """Rows to read, all defined (or all ids), in none of the banks of a mask."""
        for _ in range(TRIES):
            pitch = self._pitch(rows, words)
            place = self._place(rows, words, pitch, ids)
            if place is not None and self._readable(*place, rows, words, banks, ids):
                return self._encoded(*place)
        for pitch in (words, 0):
            for start in self._starts(rows, words, pitch, ids):
                if self._readable(start, pitch, rows, words, banks, ids):
                    return self._encoded(start, pitch)
        return None

    def destination(self, rows: int, words: int) -> Operand | None:
        """Rows to write, anywhere in the scratchpad."""
        for _ in range(TRIES):
            pitch = words + (self.rng.choice(LOOSE) if rows > 1 and self._is("loose") else 0)
            place = self._place(rows, words, pitch, False)
            if place is not None and self._inside(*place, rows, words) and place[1] >= words:
                return self._encoded(*place)
        return None

    def banks(self, operand: Operand, rows: int, words: int) -> int:
        """The banks that an operand claims, as a mask."""
        start = operand.base + self.sizes.state.affine(operand) * operand.pitch
        return self._claimed(start, operand.pitch, rows, words)

    def _is(self, pitch: str) -> bool:
        return weighted(self.rng, self.settings.pitches) == pitch

    def _pitch(self, rows: int, words: int) -> int:
        kind = weighted(self.rng, self.settings.pitches) if rows > 1 else "tight"
        if kind == "loose":
            return words + self.rng.choice(LOOSE)
        return 0 if kind == "zero" else self.rng.randrange(1, words) if kind == "below" and words > 1 else words

    def _place(self, rows: int, words: int, pitch: int, ids: bool) -> tuple[int, int] | None:
        """(start, pitch) as the settings prefer; the pitch may be that of an operand it is laid on."""
        rng, top = self.rng, self.config.spad_words
        span = (rows - 1) * pitch + words
        where = weighted(rng, self.settings.places)
        if where == "defined":
            starts = list(self._starts(rows, words, pitch, ids))
            return (starts[0], pitch) if starts else None
        if where in ("recent", "beside") and self.recent:
            other = rng.choice(self.recent)
            if where == "beside":
                return rng.choice((other.hi, other.lo - span)), pitch
            if rng.random() < 0.6:
                return other.start, other.pitch if rows > 1 and rng.random() < 0.8 else pitch
            return rng.randint(other.lo - span + 1, other.hi - 1), pitch
        if where == "border":
            border = rng.randrange(1, self.config.banks) * self.config.bank_words
            return rng.choice((border, border - span, border - rng.randint(1, span))), pitch
        return {"first": 0, "last": top - span}.get(where, rng.randrange(top)), pitch

    def _starts(self, rows: int, words: int, pitch: int, ids: bool) -> Iterator[int]:
        """A start in each run of defined words that is long enough, in random order."""
        span = (rows - 1) * pitch + words
        runs = [run for run in self.pad.runs(ids) if run[1] - run[0] >= span]
        for lo, hi in self.rng.sample(runs, len(runs)):
            yield self.rng.choice((lo, hi - span, self.rng.randint(lo, hi - span)))

    def _inside(self, start: int, pitch: int, rows: int, words: int) -> bool:
        return 0 <= start and start + (rows - 1) * pitch + words <= self.config.spad_words and pitch <= WIDEST_PITCH

    def _readable(self, start: int, pitch: int, rows: int, words: int, banks: int, ids: bool) -> bool:
        if not self._inside(start, pitch, rows, words) or self._claimed(start, pitch, rows, words) & banks:
            return False
        at = touched(Access("", False, start, pitch, rows, words, 0, 0, 0))
        return bool(np.all(self.pad.bound[at] > 0 if ids else self.pad.defined[at]))

    def _claimed(self, start: int, pitch: int, rows: int, words: int) -> int:
        first, last = (at // self.config.bank_words for at in (start, start + (rows - 1) * pitch + words - 1))
        return (2 << last) - (1 << first)

    def _encoded(self, start: int, pitch: int) -> Operand:
        """Through LEN and M when that fits."""
        a, b = self.sizes.factors()
        base = start - (a * self.sizes.state.length + b * self.sizes.state.m) * pitch
        return Operand(base, pitch, a, b) if base >= 0 else Operand(start, pitch)
