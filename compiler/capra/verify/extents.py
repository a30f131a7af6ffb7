# SPDX-License-Identifier: Apache-2.0
"""Which rows and words of a buffer an operation touches, by its fields alone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from capra.affine import Affine
from capra.ops import Op
from ga2.spec import ISA, Config

ONE = Affine(1)


@dataclass(frozen=True)
class Region:
    """Rows first .. first + rows - 1 of a buffer, of each the words lo .. hi - 1."""

    buffer: str
    first: Affine
    rows: Affine
    lo: int
    hi: int

    def meets(self, other: "Region") -> bool:
        """False if they share no word for any LEN and M."""
        if self.buffer != other.buffer or self.hi <= other.lo or other.hi <= self.lo:
            return False
        below = (other.first - self.first - self.rows).never_negative()
        above = (self.first - other.first - other.rows).never_negative()
        return not (below or above)


def _words(size: Affine, config: Config) -> int:
    """Words of a row of so many bytes, at the largest LEN and M."""
    return -(-size.largest(config.max_len, config.m_max) // config.cols)


def _right(op: Op, config: Config) -> tuple[Affine, int]:
    n, k = op.dims["n"], op.dims["k"]
    if op.fields["right_mode"] == "panel":
        return ONE, _words(n, config) * k.imm
    return (n, _words(k, config)) if op.fields["right_mode"] == "transposed" else (k, _words(n, config))


def _product(op: Op, name: str, config: Config) -> tuple[Affine, int]:
    m = op.dims["m"]
    if name == "right":
        return _right(op, config)
    if name == "left":
        return m, _words(op.dims["k"], config)
    return m, 1 if op.fields.get("rowmul") and name == "aux" else _words(op.dims["n"], config)


def _moved(op: Op, name: str, _config: Config) -> tuple[Affine, int]:
    return op.dims["rows"], 1 if name == "ids" else op.dims["words"].imm


def _by_rows(op: Op, name: str, config: Config) -> tuple[Affine, int]:
    single = name == "rmul" or op.opcode == "AMAX" and name == "out"
    return op.dims["rows"], 1 if single else _words(op.dims["n"], config)


_RULES: dict[str, Callable[[Op, str, Config], tuple[Affine, int]]] = {
    "LD": _moved, "LDG": _moved, "ST": _moved, "MM": _product, "SM": _by_rows, "VEC": _by_rows, "AMAX": _by_rows
}  # fmt: skip


def region(op: Op, name: str, config: Config) -> Region:
    """The region of the operand `name`."""
    rows, words = _RULES[op.opcode](op, name, config)
    ref = op.operands[name]
    return Region(ref.buffer, ref.row, rows, ref.word, ref.word + words)


def regions(op: Op, access: str, config: Config) -> Iterator[Region]:
    """The regions that it reads (access `read`), or writes (`write`)."""
    for spec in ISA.instructions[op.opcode].fields:
        if spec.kind == "operand" and spec.access == access and spec.name in op.operands:
            yield region(op, spec.name, config)
