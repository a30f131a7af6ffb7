# SPDX-License-Identifier: Apache-2.0
"""`spec/coverage.yaml`, read once and checked against the instruction set."""

from fnmatch import fnmatchcase
from typing import Literal

import yaml
from pydantic import model_validator

from ga2.spec import ISA, SPEC_DIR, Strict

BEFORE = "-"  # no instruction is known yet


class Edge(Strict):
    """A value of a dimension around N: times*N + plus."""

    name: str
    times: int = 0
    plus: int = 0

    def value(self, around: int) -> int:
        """The value where N is `around`."""
        return self.times * around + self.plus


class Exclusion(Strict):
    """Bins that no legal stimulus can hit: `bins` is a name in which * stands for any text."""

    bins: str
    reason: str

    def covers(self, name: str) -> bool:
        """Whether a bin is meant."""
        return fnmatchcase(name, self.bins)


class Slices(Strict):
    """The dimensions of slice_rows' cross."""

    source: tuple[str, ...]
    consumer: tuple[str, ...]
    position: tuple[str, ...]
    m: tuple[str, ...]
    length: tuple[str, ...]


class Lists(Strict):
    """Everything in the file."""

    edges: tuple[Edge, ...]
    around: dict[str, Literal["rows", "cols", "burst"]]
    never_zero: tuple[str, ...]
    bytes: dict[Literal["signed", "unsigned"], tuple[int, ...]]
    numbers: dict[str, dict[str, int]]
    precise: dict[str, tuple[str, ...]]
    imprecise: dict[str, tuple[str, ...]]
    channels: dict[str, str]
    slices: Slices
    excluded: tuple[Exclusion, ...]

    @model_validator(mode="after")
    def _fits_the_isa(self) -> "Lists":
        for kind in ("precise", "imprecise"):
            named, faults = set(getattr(self, kind)), {f.name for f in ISA.faults.values() if f.kind == kind}
            if named != faults:
                raise ValueError(f"coverage.yaml: {kind}: {sorted(named ^ faults)} not here or not in isa.yaml")
        for fault, ops in self.precise.items():
            for op in ops:
                if op != BEFORE and op not in ISA.instructions:
                    raise ValueError(f"coverage.yaml: precise.{fault}: no instruction '{op}' in isa.yaml")
        for name in self.numbers:
            op, _, field = name.partition(" ")
            ISA.instructions[op].field(field)
        return self


LISTS = Lists(**yaml.safe_load((SPEC_DIR / "coverage.yaml").read_text()))
