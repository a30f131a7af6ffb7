# SPDX-License-Identifier: Apache-2.0
"""Operations: instructions whose operands are still buffers and items instead of addresses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from capra.affine import Affine
from ga2.isa.encoding import Constant
from ga2.spec import ISA


@dataclass(frozen=True)
class Ref:
    """A scratchpad operand: word `word` of row `row` of a buffer, rows `pitch` words apart."""

    buffer: str
    pitch: int
    row: Affine = field(default_factory=Affine)
    word: int = 0


@dataclass(frozen=True)
class ExtRef:
    """An external operand: word `word` of row `row` of a layout item."""

    item: str
    row: Affine = field(default_factory=Affine)
    word: int = 0


@dataclass(frozen=True, eq=False)
class Op:
    """One instruction to be. dims: field name to size; fields: everything else that needs no address.

    constants: the column constants of an MM. weight: for the load of a weight's chunk, the weight's name.
    """

    opcode: str
    node: str
    dims: Mapping[str, Affine]
    operands: Mapping[str, Ref]
    fields: Mapping[str, int | str] = field(default_factory=dict)
    ext: ExtRef | None = None
    constants: tuple[Constant, ...] = ()
    weight: str = ""

    @cached_property
    def unit(self) -> str:
        """The unit that executes it."""
        return ISA.instructions[self.opcode].unit

    def _with_access(self, access: str) -> Iterator[Ref]:
        for spec in ISA.instructions[self.opcode].fields:
            if spec.kind == "operand" and spec.access == access and spec.name in self.operands:
                yield self.operands[spec.name]

    @cached_property
    def reads(self) -> tuple[Ref, ...]:
        """Scratchpad operands read."""
        return tuple(self._with_access("read"))

    @cached_property
    def writes(self) -> tuple[Ref, ...]:
        """Scratchpad operands written."""
        return tuple(self._with_access("write"))
