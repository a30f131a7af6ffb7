# SPDX-License-Identifier: Apache-2.0
"""Draws LD, LDG and ST: a place in a window and one in the scratchpad."""

from dataclasses import replace

from ga2.golden.resolve import GATHER_PITCH_MAX, Access, Resolved
from ga2.isa.encoding import Ext, Instruction
from ga2.timing.bursts import PAGE_BYTES
from verif.programs.layout import FILL, FILL_ADDRESS, ID_ROWS
from verif.programs.placing import Placer
from verif.programs.sizes import weighted

IDS_BELOW = (8, 300)
"""The bounds of the two lists of ids at the beginning of the filling data."""
LOAD_IDS = 0.15  # how often a load brings ids
LIMIT_MAX = 0xFFFF


def loaded_bound(resolved: Resolved, cols: int) -> int:
    """The bound of the ids that a load brings: those of the list from which it takes everything; else 0."""
    if resolved.instruction.op != "LD" or resolved.ext is None:
        return 0
    size = ID_ROWS * cols
    for index, below in enumerate(IDS_BELOW):
        first = FILL_ADDRESS + index * size
        if first <= resolved.ext.lo and resolved.ext.hi <= first + size:
            return below
    return 0


class Transfers:
    """The movers' instructions of one program."""

    def __init__(self, placer: Placer) -> None:
        self.placer, self.sizes, self.rng, self.config = placer, placer.sizes, placer.rng, placer.config

    def load(self) -> Instruction | None:
        """LD, now and then of ids."""
        if self.rng.random() < (LOAD_IDS if self.placer.pad.runs(ids=True) else 0.5):
            rows, words = 1, self.rng.randint(1, ID_ROWS)
            first = self.rng.choice((0, ID_ROWS)) + self.rng.randint(0, ID_ROWS - words)
            ext: Ext | None = Ext(first, 1, FILL)
        else:
            rows, words = self.sizes.rows(), self.sizes.words()
            ext = self._external(rows, words, writable=False)
        dst = self.placer.destination(max(rows, 1), max(words, 1))
        if dst is None or ext is None:
            return None
        if rows > 1 and self.rng.random() < 0.3:
            ext = replace(ext, pitch=dst.pitch)
        return Instruction("LD", {"rows": self.sizes.dim(rows), "words": self.sizes.dim(words), "dst": dst, "ext": ext})

    def store(self) -> Instruction | None:
        """ST."""
        rows, words = self.sizes.rows(), self.sizes.words()
        src = self.placer.source(max(rows, 1), max(words, 1))
        ext = self._external(rows, words, writable=True)
        if src is None or ext is None:
            return None
        return Instruction("ST", {"rows": self.sizes.dim(rows), "words": self.sizes.dim(words), "src": src, "ext": ext})

    def gather(self) -> Instruction | None:
        """LDG, its limit at or above the bound of the ids."""
        rng, cols = self.rng, self.config.cols
        rows = self.sizes.rows()
        ids = self.placer.source(max(rows, 1), 1, ids=True)
        if ids is None:
            rows, ids = 1, self.placer.source(1, 1, ids=True)
        if ids is None:
            return None
        start = ids.base + self.sizes.state.affine(ids) * ids.pitch
        bound = self.placer.pad.ids_below(Access("ids", False, start, ids.pitch, max(rows, 1), 1, 0, 0, 0))
        win = self._window(False)
        room = self.sizes.state.window(win).size // cols
        widest = min(GATHER_PITCH_MAX // cols, room // bound)
        if widest < 1:
            return None
        pitch = 1 << rng.randrange(widest.bit_length())
        words = rng.choice((pitch, rng.randint(1, pitch), pitch // 2 + 1))
        most = min(room // pitch, LIMIT_MAX)
        limit = rng.choice((bound, bound, most, rng.randint(bound, most)))
        offset = rng.choice((0, most - limit, rng.randint(0, most - limit))) * pitch
        dst = self.placer.destination(max(rows, 1), words)
        if dst is None:
            return None
        return Instruction("LDG", {"rows": self.sizes.dim(rows), "words": self.sizes.dim(words), "limit": limit,
                                   "dst": dst, "ids": ids, "ext": self._affine(Ext(offset, pitch, win))})  # fmt: skip

    def _window(self, writable: bool) -> int:
        windows = self.sizes.state.windows
        fit = [index for index, window in enumerate(windows) if window.size and window.writable >= writable]
        return self.rng.choice(fit)

    def _external(self, rows: int, words: int, writable: bool) -> Ext | None:
        """Somewhere in a window: at its ends, at a page's, or anywhere."""
        rng, cols, kind = self.rng, self.config.cols, weighted(self.rng, self.placer.settings.pitches)
        win = self._window(writable)
        window = self.sizes.state.window(win)
        loose = words + rng.choice((1, 2, 7))
        pitch = {"loose": loose, "zero": 0, "below": words // 2}.get(kind, words)
        last = window.size // cols - max(rows - 1, 0) * pitch - words
        if last < 0:
            return None
        page = rng.randrange(window.size // PAGE_BYTES + 1) * PAGE_BYTES // cols
        places = (0, last, rng.randint(0, last), page, page - words, page - 1, page - rng.randint(0, words))
        offset = rng.choice(places)
        return self._affine(Ext(offset, pitch, win)) if 0 <= offset <= last else self._affine(Ext(last, pitch, win))

    def _affine(self, ext: Ext) -> Ext:
        a, b = self.sizes.factors()
        offset = ext.offset - (a * self.sizes.state.length + b * self.sizes.state.m) * ext.pitch
        return Ext(offset, ext.pitch, ext.win, a, b) if offset >= 0 else ext


