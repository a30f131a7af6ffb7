# SPDX-License-Identifier: Apache-2.0
"""Sizes that are affine in the two run-time registers: imm + a*LEN + b*M."""

from dataclasses import dataclass


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
