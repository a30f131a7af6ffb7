# SPDX-License-Identifier: Apache-2.0
"""What the generator draws how often: named settings, in `verif/programs/settings/<name>.yaml`.

A file may extend another (`extends: base`); what it does not name it takes from there. A weight is a share among the
others of its list; 0, or leaving it out of a list that is given anew, means never.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ga2.spec import ISA

Share = Annotated[float, Field(ge=0)]
Chance = Annotated[float, Field(ge=0, le=1)]
Opcode = Literal["LD", "LDG", "ST", "MM", "SM", "VEC", "AMAX"]
Size = Literal["0", "1", "some", "max"]
Rows = Literal["0", "1", "2", "N-1", "N", "N+1", "2N", "M", "many", "max"]
Columns = Literal["0", "1", "2", "N-1", "N", "N+1", "2N", "several", "LEN+M+1", "long", "max"]
Words = Literal["0", "1", "2", "several", "N-1", "N", "N+1", "2N", "max"]
Place = Literal["defined", "recent", "beside", "first", "last", "border", "anywhere"]
Pitch = Literal["tight", "loose", "zero", "below"]
Data = Literal["random", "extreme", "small", "equal", "one-hot"]
Ending = Literal["halt", "fault", "abort", "watchdog", "reset"]
PRECISE = tuple(name for name, fault in ISA.faults.items() if fault.kind == "precise")


class Settings(BaseModel):
    """Every share and range. N of a size is the array's height, its width, or the words of a burst."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str = Field(description="what these settings are for, in a line")
    instructions: tuple[int, int] = Field(description="fewest and most drawn ones, between prologue and ending")
    cycles: int = Field(ge=500, le=200_000, description="about what a program may take on the reference memory")
    opcodes: dict[Opcode, Share]
    length: dict[Size, Share] = Field(description="LEN")
    m: dict[Size, Share] = Field(description="M")
    rows: dict[Rows, Share]
    columns: dict[Columns, Share]
    words: dict[Words, Share]
    places: dict[Place, Share] = Field(description="where an operand lies")
    pitches: dict[Pitch, Share] = Field(description="how the rows of a source follow each other")
    data: dict[Data, Share] = Field(description="bytes of a region of external memory")
    affine: Chance = Field(description="a dimension or a place through LEN and M")
    in_place: Chance = Field(description="a destination on a source, where that is legal")
    full_range: Chance = Field(description="a number at the end of its range")
    endings: dict[Ending, Share]
    faults: dict[str, Share] = Field(description="the precise fault of an ending `fault`")

    @field_validator("instructions")
    @classmethod
    def _ordered(cls, value: tuple[int, int]) -> tuple[int, int]:
        if not 1 <= value[0] <= value[1] <= 200:
            raise ValueError("expected [fewest, most] with 1 <= fewest <= most <= 200")
        return value

    @field_validator("faults")
    @classmethod
    def _precise(cls, value: dict[str, float]) -> dict[str, float]:
        for name in value:
            if name not in PRECISE:
                raise ValueError(f"no precise fault is called '{name}': choose from {', '.join(PRECISE)}")
        return value

    @model_validator(mode="after")
    def _something_to_draw(self) -> "Settings":
        for name, value in self:
            if isinstance(value, dict) and not sum(value.values()) > 0:
                raise ValueError(f"{name}: every share is 0: give at least one a positive number")
        return self
