# SPDX-License-Identifier: Apache-2.0
"""Recipes for external memory: a region's bytes follow from its kind and its seed."""

import random
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from verif.programs.generator_settings import Data

ID_BYTES = 4
EXTREMES = (-128, -1, 0, 127)
TABLES: dict[str, bytes] = {
    "extreme": bytes(EXTREMES[byte % 4] & 0xFF for byte in range(256)),
    "small": bytes(byte % 5 - 2 & 0xFF for byte in range(256)),
    "one-hot": bytes(0x7F if byte < 10 else 0x80 for byte in range(256)),
}
"""What each random byte becomes."""


class Region(BaseModel):
    """`size` bytes from `address`. Of kind `ids`, every scratchpad word of it holds an id below `below`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    address: int = Field(ge=0)
    size: int = Field(ge=0)
    kind: Data | Literal["ids"]
    seed: int = 0
    below: int = Field(default=0, ge=0, le=1 << 8 * ID_BYTES)

    @model_validator(mode="after")
    def _ids_are_below_something(self) -> "Region":
        if self.kind == "ids" and self.below == 0:
            raise ValueError("ids must be below something: `below` must be 1 or more")
        return self

    def contents(self, cols: int) -> bytes:
        """The bytes; `cols` is the size of a scratchpad word."""
        rng = random.Random(self.seed)
        if self.kind == "ids":
            ids = (rng.choice((0, self.below - 1, rng.randrange(self.below))) for _ in range(self.size // cols))
            return b"".join(one.to_bytes(ID_BYTES, "little").ljust(cols, b"\0") for one in ids)
        if self.kind == "equal":
            return bytes([rng.choice(EXTREMES) & 0xFF]) * self.size
        raw = rng.randbytes(self.size)
        return raw.translate(TABLES[self.kind]) if self.kind in TABLES else raw
