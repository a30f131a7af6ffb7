# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies over the specification: any legal instruction, any image."""

from hypothesis import strategies as st

from ga2.isa.encoding import COMPOSITES, Constant, Instruction, encode, value_range
from ga2.isa.image import Image
from ga2.spec import CONFIG_NAMES, ISA, Field

WORDS = st.integers(0, (1 << ISA.width) - 1)


def numbers(width: int, signed: bool) -> st.SearchStrategy[int]:
    """Integers of `width` bits, zero and the ends more often than chance."""
    low, high = value_range(width, signed)
    return st.one_of(st.sampled_from([0, low, high]), st.integers(low, high))


def values(field: Field) -> st.SearchStrategy:
    """Legal values of one field."""
    if field.kind in COMPOSITES:
        kind, parts = COMPOSITES[field.kind]
        return st.builds(kind, **{part.name: numbers(part.width, False) for part in parts})
    if field.kind == "enum":
        return st.sampled_from(sorted(field.values))
    return numbers(field.bits, field.kind == "int")


@st.composite
def instructions(draw: st.DrawFn) -> Instruction:
    """Any legal instruction, with every field given."""
    spec = ISA.instructions[draw(st.sampled_from(sorted(ISA.instructions)))]
    fields = {field.name: draw(values(field)) for field in spec.fields}
    if fields.get("residual"):
        fields["rowmul"] = 0
    return Instruction(spec.name, fields)


@st.composite
def images(draw: st.DrawFn) -> Image:
    """Images with legal and arbitrary words, constants, entries and notes."""
    words = draw(st.lists(st.one_of(instructions().map(encode), WORDS), min_size=1, max_size=8))
    constant = st.builds(
        Constant, **{field.name: numbers(field.bits, field.kind == "int") for field in ISA.constant}
    )
    pcs = st.integers(0, len(words) - 1)
    names = st.from_regex(r"[A-Za-z_][\w.-]{0,8}", fullmatch=True).filter(str.isascii)
    notes = st.text(max_size=12).map(lambda text: " ".join(text.splitlines()).strip()).filter(bool)
    return Image(
        config=draw(st.sampled_from(CONFIG_NAMES)),
        instructions=words,
        constants=draw(st.lists(constant, max_size=4)),
        entries=draw(st.dictionaries(names, pcs, max_size=3)),
        notes=draw(st.dictionaries(pcs, notes, max_size=3)),
    )
