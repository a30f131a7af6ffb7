# SPDX-License-Identifier: Apache-2.0
"""Bins of places: where each operand lies, how its rows follow each other, what is done in place."""

from ga2.golden.resolve import Access
from ga2.spec import ISA
from verif.coverage.context import OPERATIONS, Bins, Context

PLACES = ("first word", "last word", "one bank", "two banks", "many banks")
READ_PITCHES = ("zero", "below", "tight", "loose")
WRITTEN_PITCHES = ("tight", "loose")
IN_PLACE = ("SM src", "VEC a", "VEC b", "MM aux")
NARROW = ("SM rmul", "AMAX out", "LDG ids")  # rows of one word: nothing is below the row but zero

OPERANDS = {
    f"{op} {field.name}": field.access
    for op in OPERATIONS
    for field in ISA.instructions[op].fields
    if field.kind == "operand"
}

POINTS: dict[str, tuple[str, ...]] = {
    "operand/place": tuple(f"{name} {place}" for name in OPERANDS for place in PLACES),
    "operand/pitch": tuple(
        f"{name} {pitch}"
        for name, access in OPERANDS.items()
        for pitch in (READ_PITCHES if access == "read" else WRITTEN_PITCHES)
        if not (pitch == "below" and name in NARROW)
    ),
    "operand/in_place": IN_PLACE,
}


def places(access: Access, words: int) -> set[str]:
    """Where an operand lies in a scratchpad of `words` words."""
    count = access.banks.bit_count()
    found = {"one bank" if count == 1 else "two banks" if count == 2 else "many banks"}
    found |= {"first word"} if access.lo == 0 else set()
    found |= {"last word"} if access.hi == words else set()
    return found


def pitch(access: Access) -> str | None:
    """How the rows of an operand follow each other; None for a single row."""
    if access.rows < 2:
        return None
    if access.pitch == 0:
        return "zero"
    return "below" if access.pitch < access.words else "tight" if access.pitch == access.words else "loose"


def operand_bins(context: Context) -> Bins:
    """The operands of a resolved instruction."""
    bins = set()
    resolved, op = context.resolved, context.op
    for access in resolved.operands:
        name = f"{op} {access.name}"
        bins |= {f"operand/place/{name} {place}" for place in places(access, context.config.spad_words)}
        if (how := pitch(access)) is not None:
            bins.add(f"operand/pitch/{name} {how}")
        written = resolved.writes[0] if resolved.writes else None
        if not access.write and written and access.start == written.start and name in IN_PLACE:
            bins.add(f"operand/in_place/{name}")
    return frozenset(bins)
