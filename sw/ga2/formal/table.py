# SPDX-License-Identifier: Apache-2.0
"""The table of proofs: what is proved of which module, how, and which broken copies must fail."""

from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, model_validator

from ga2.sim.sources import ROOT, catalogue, closure

FOLDER = ROOT / "verif" / "formal"
TABLE = FOLDER / "proofs.yaml"


@cache
def _files() -> tuple[Path, ...]:
    """Every source that a proof may need; listing them takes longer than reading the table."""
    return (*catalogue(), *sorted(FOLDER.glob("*.sv")))


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fault(_Strict):
    """A broken copy: in `file` the text `find`, which occurs once, becomes `replace`."""

    says: str
    file: str
    find: str = Field(min_length=1)
    replace: str
    cycles: PositiveInt | None = None  # within which it must fail; default: the proof's `cover`
    skip: NonNegativeInt = 0  # cycles from reset that are run but not checked: showing that none fails costs time
    violates: str | None = None  # look at this property alone, which may be an invariant; default: every property

    def apply(self) -> str:
        """The broken text; ValueError unless `find` occurs exactly once."""
        text = (ROOT / self.file).read_text()
        if text.count(self.find) != 1:
            raise ValueError(
                f"broken copy '{self.says}': the text it replaces occurs {text.count(self.find)} times in {self.file}, "
                f"not once: {self.find!r}"
            )
        return text.replace(self.find, self.replace)


class Proof(_Strict):
    """One proof: a top module of `verif/formal`, its parameters, and how it is proved.

    `induction`: for ever, from `depth` cycles without a failure to the next. `bounded`: in the first `depth` cycles.
    Every cover must be reached within `cover` cycles. `cut` names signals that may take any value instead of their own.
    With `any_products` assertions hold whatever multiplications compute, and broken copies fail for some such function
    (`ga2.formal.products`); covers take products as they are. With `singly` an induction proves one property at a time
    (`ga2.formal.singly`).
    """

    states: str
    assumes: str = "nothing"
    top: str
    parameters: dict[str, int] = {}
    method: Literal["induction", "bounded"]
    depth: PositiveInt
    cover: PositiveInt
    cut: list[str] = []
    any_products: bool = False
    singly: bool = False
    slow: bool = False  # proved by `make formal` only
    broken: list[Fault] = Field(min_length=1)

    @model_validator(mode="after")
    def _check(self) -> "Proof":
        if self.singly and self.method != "induction":
            raise ValueError("only an induction can prove one property at a time (singly)")
        return self

    @property
    def sources(self) -> list[Path]:
        """The files that the top module needs, in the order of compilation."""
        return closure([self.top], _files())


class Table(_Strict):
    """The whole table; it checks what no proof can check alone."""

    proofs: dict[str, Proof]

    @model_validator(mode="after")
    def _check(self) -> "Table":
        for name, proof in self.proofs.items():
            sources = proof.sources
            if not sources:
                raise ValueError(f"proof '{name}': no file {FOLDER.name}/{proof.top}.sv")
            for fault in proof.broken:
                if ROOT / fault.file not in sources:
                    raise ValueError(f"proof '{name}': it does not contain {fault.file}, which a broken copy changes")
                if fault.skip >= (fault.cycles or proof.cover):
                    raise ValueError(f"proof '{name}': no cycle of the broken copy '{fault.says}' is checked")
        return self


@cache
def load() -> dict[str, Proof]:
    """Every proof by its name; ValueError (pydantic) for a table that makes no sense."""
    return Table.model_validate(yaml.safe_load(TABLE.read_text())).proofs
