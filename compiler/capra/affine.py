# SPDX-License-Identifier: Apache-2.0
"""Sizes that are affine in the two run-time registers: imm + a*LEN + b*M."""

import re
from dataclasses import dataclass

_TERM = re.compile(r"([+-]?)(?:(\d+)\*)?(LEN|M|\d+)", re.ASCII)


@dataclass(frozen=True)
class Affine:
    """imm + a*LEN + b*M, with LEN the rows in the cache and M the rows of the block."""

    imm: int = 0
    a: int = 0
    b: int = 0

    def __add__(self, other: "Size") -> "Affine":
        other = affine(other)
        return Affine(self.imm + other.imm, self.a + other.a, self.b + other.b)

    def __sub__(self, other: "Size") -> "Affine":
        other = affine(other)
        return Affine(self.imm - other.imm, self.a - other.a, self.b - other.b)

    __radd__ = __add__

    @property
    def constant(self) -> bool:
        """No dependence on LEN or M."""
        return self.a == 0 and self.b == 0

    def at(self, length: int, m: int) -> int:
        """The value for LEN = `length` and M = `m`."""
        return self.imm + self.a * length + self.b * m

    def never_negative(self, least_m: int = 1) -> bool:
        """True if the value is >= 0 for every LEN >= 0 and M >= `least_m`."""
        return self.a >= 0 and self.b >= 0 and self.at(0, least_m) >= 0

    def largest(self, max_len: int, m_max: int) -> int:
        """The largest value while LEN + M <= max_len and 1 <= M <= m_max."""
        return max(self.at(length, m) for m in (1, m_max) for length in (0, max_len - m))

    @classmethod
    def parse(cls, text: str) -> "Affine":
        """The inverse of `str`: `2*LEN+M-1`. ValueError for anything else."""
        total, at, compact = cls(), 0, text.replace(" ", "")
        while at < len(compact) or not compact:
            term = _TERM.match(compact, at)
            if term is None or at and not term[1] or term[2] and term[3].isdigit():
                raise ValueError(f"'{text}' is no size: expected terms such as 3, LEN, 2*M, joined by + or -")
            factor = int(f"{term[1]}{term[2] or 1}")
            what = {"LEN": cls(0, factor, 0), "M": cls(0, 0, factor)}.get(term[3])
            total, at = total + (what or factor * int(term[3])), term.end()
        return total

    def __str__(self) -> str:
        registers = ((self.a, "LEN"), (self.b, "M"))
        terms = [name if factor == 1 else f"{factor}*{name}" for factor, name in registers if factor]
        parts = terms + ([str(self.imm)] if self.imm or not terms else [])
        return "+".join(parts).replace("+-", "-")


Size = int | Affine

LEN = Affine(0, 1, 0)
M = Affine(0, 0, 1)


def affine(size: Size) -> Affine:
    """A plain number as an `Affine`."""
    return size if isinstance(size, Affine) else Affine(size)
