# SPDX-License-Identifier: Apache-2.0
"""Draws MM, SM, VEC and AMAX."""

from typing import Any

from ga2.golden.shapes import words_of
from ga2.isa.encoding import Instruction, Operand
from verif.programs.placing import Placer

MODES = ("panel", "rows", "transposed")
FLAGS = ("unsigned_left", "double_round", "uniform")
EMUL_MAX, STEP_MAX, SCALE_MAX, SHIFT_MAX = 0xFFFF, 0xFF, (1 << 31) - 1, 31
HALF = 1 << 30


class Computations:
    """The instructions of matrix, softmax and vector unit; `constants` is how many columns have constants."""

    def __init__(self, placer: Placer, constants: int) -> None:
        self.placer, self.sizes, self.rng, self.constants = placer, placer.sizes, placer.rng, constants
        self.cols = placer.config.cols

    def product(self) -> Instruction | None:
        """MM in every mode, with residual, row multipliers or neither."""
        rng, sizes = self.rng, self.sizes
        m, n, k = sizes.rows(), sizes.columns(), max(1, sizes.columns())
        mode, aux = rng.choice(MODES), rng.choice(("", "", "residual", "rowmul"))
        rows, n_words, k_words = max(m, 1), self._words(n), self._words(k)
        shapes = {"panel": (1, n_words * k), "rows": (k, n_words), "transposed": (max(n, 1), k_words)}
        operands = self._apart((rows, k_words), shapes[mode], *([self._aux(rows, n_words, aux)] if aux else []))
        if operands is None:
            return None
        in_place = aux == "residual" and rng.random() < self.placer.settings.in_place
        out = operands[2] if in_place else self.placer.destination(rows, n_words)
        if out is None:
            return None
        flags = {name: rng.randint(0, 1) for name in FLAGS}
        if n > self.constants:
            flags["uniform"] = 1
        last = self.constants - (1 if flags["uniform"] else n)
        named = dict(zip(("left", "right", "aux"), operands, strict=False))
        return Instruction("MM", {"m": sizes.dim(m), "n": sizes.dim(n), "k": sizes.dim(k), "right_mode": mode,
                                  "const": rng.choice((0, last, rng.randint(0, last))), "out": out,
                                  **({aux: 1} if aux else {}), **flags, **named, **self._bounds()})  # fmt: skip

    def softmax(self) -> Instruction | None:
        """SM, rows of equal or growing lengths."""
        rng, sizes = self.rng, self.sizes
        rows, n = sizes.rows(), sizes.columns()
        most = (n - 1) // (rows - 1) if rows > 1 and n > 0 else STEP_MAX
        step = min(most, STEP_MAX, rng.choice((0, 0, 1, 1, 3, sizes.number(0, STEP_MAX))))
        longest = max(1, n - max(rows - 1, 0) * step)
        length = rng.choice((1, longest, longest, rng.randint(1, longest)))
        src = self.placer.source(max(rows, 1), self._words(n))
        if src is None:
            return None
        dst = src if self._in_place(src, n) else self.placer.destination(max(rows, 1), self._words(n))
        rmul = self.placer.destination(max(rows, 1), 1)
        if dst is None or rmul is None:
            return None
        return Instruction("SM", {"rows": sizes.dim(rows), "n": sizes.dim(n), "len": sizes.dim(length), "step": step,
                                  "norm": rng.randint(0, 1), "emul": sizes.number(0, EMUL_MAX, 300, 4000, 47274),
                                  "scale": sizes.number(0, SCALE_MAX, HALF, HALF, 12345),
                                  "dst": dst, "src": src, "rmul": rmul})  # fmt: skip

    def vector(self) -> Instruction | None:
        """VEC with one operand or two."""
        rng, sizes = self.rng, self.sizes
        rows, n = sizes.rows(), sizes.columns()
        shape = max(rows, 1), self._words(n)
        sources = self._apart(shape, *([shape] if rng.random() < 0.6 else []))
        if sources is None:
            return None
        out = rng.choice(sources) if self._in_place(sources[0], n) else self.placer.destination(*shape)
        if out is None:
            return None
        fields: dict[str, Any] = {"rows": sizes.dim(rows), "n": sizes.dim(n), "a": sources[0], "out": out,
                                  "ma": sizes.number(-(1 << 15), (1 << 15) - 1, 1, 1, -3, 181),
                                  "shift": sizes.number(0, SHIFT_MAX, 0, 1, 7, 14), **self._bounds()}  # fmt: skip
        if len(sources) > 1:
            fields |= {"second": 1, "b": sources[1], "mb": sizes.number(-(1 << 15), (1 << 15) - 1, 1, 1, 77)}
        return Instruction("VEC", fields)

    def argmax(self) -> Instruction | None:
        """AMAX."""
        rows, n = self.sizes.rows(), self.sizes.columns()
        src, out = self.placer.source(max(rows, 1), self._words(n)), self.placer.destination(max(rows, 1), 1)
        if src is None or out is None:
            return None
        return Instruction("AMAX", {"rows": self.sizes.dim(rows), "n": self.sizes.dim(n), "out": out, "src": src})

    def _words(self, elements: int) -> int:
        return max(1, words_of(elements, self.cols))

    def _aux(self, rows: int, n_words: int, aux: str) -> tuple[int, int]:
        return rows, n_words if aux == "residual" else 1

    def _in_place(self, source: Operand, n: int) -> bool:
        return self.rng.random() < self.placer.settings.in_place and source.pitch >= self._words(n)

    def _apart(self, *shapes: tuple[int, int]) -> list[Operand] | None:
        """Sources of these shapes, no two in one bank."""
        taken, found = 0, []
        for rows, words in shapes:
            source = self.placer.source(rows, words, taken)
            if source is None:
                return None
            taken |= self.placer.banks(source, rows, words)
            found.append(source)
        return found

    def _bounds(self) -> dict[str, int]:
        """Zero point and clamp: full, ReLU, narrow, a single value, or crossed."""
        zp = self.sizes.number(-128, 127, 0, 0, 5)
        low = self.rng.randint(-128, 127)
        clamps = ((-128, 127), (-128, 127), (zp, 127), (-7, 9), (low, low), (low, max(-128, low - 9)))
        lo, hi = self.rng.choice(clamps)
        return {"zp": zp, "lo": lo, "hi": hi}
