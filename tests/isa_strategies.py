# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies over the specification: any legal instruction, any image. One draw each, so they are fast."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ga2.isa.encoding import CONSTANT_BYTES, LEGAL_BITS, Constant, Dim, Ext, Instruction, Operand, decode, value_range
from ga2.isa.image import Image
from ga2.spec import CONFIG_NAMES, ISA, Field

PATIENT = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
"""Settings that do not fail on a slow machine."""
WORDS = st.integers(0, (1 << ISA.width) - 1)
RIGHT_MODE = 3 << ISA.instructions["MM"].field("right_mode").lsb
ROWMUL = ISA.instructions["MM"].field("rowmul").mask


def legalise(opcode: int, word: int) -> int:
    """`word` with `opcode`, its reserved bits cleared and its exclusive fields told apart."""
    word = (word & LEGAL_BITS[opcode] & ~0xFF) | opcode
    if opcode == ISA.instructions["MM"].opcode:
        if word & RIGHT_MODE == RIGHT_MODE:
            word &= ~RIGHT_MODE
        word &= ~ROWMUL
    return word


LEGAL_WORDS = st.builds(legalise, st.sampled_from(sorted(ISA.by_opcode)), WORDS)
INSTRUCTIONS = LEGAL_WORDS.map(decode)


@st.composite
def images(draw: st.DrawFn) -> Image:
    """Images with legal and arbitrary words, constants, entries and notes."""
    words = draw(st.lists(st.one_of(LEGAL_WORDS, WORDS), min_size=1, max_size=8))
    constants = st.binary(min_size=CONSTANT_BYTES, max_size=CONSTANT_BYTES).map(Constant.from_bytes)
    pcs = st.integers(0, len(words) - 1)
    names = st.text("aZ_0.-", min_size=1, max_size=6).map("_".__add__)
    notes = st.text(max_size=12).map(lambda text: "".join(filter(str.isprintable, text)).strip()).filter(bool)
    return Image(
        config=draw(st.sampled_from(CONFIG_NAMES)),
        instructions=words,
        constants=draw(st.lists(constants, max_size=3)),
        entries=draw(st.dictionaries(names, pcs, max_size=2)),
        notes=draw(st.dictionaries(pcs, notes, max_size=2)),
    )


def extremes(field: Field) -> list[object]:
    """The smallest and the largest value of a field."""
    if field.kind == "enum":
        return list(field.values)
    if field.kind == "dim":
        return [Dim(), Dim(4095, 3, 3)]
    if field.kind == "operand":
        return [Operand(), Operand(65535, 4095, 3, 3)]
    if field.kind == "ext":
        return [Ext(), Ext(2**32 - 1, 65535, 3, 3, 3)]
    return list(value_range(field.bits, field.kind == "int"))


EXTREME_INSTRUCTIONS = [
    Instruction(spec.name, {field.name: value})
    for spec in ISA.instructions.values()
    for field in spec.fields
    for value in extremes(field)
]
"""Every field of every instruction at both ends, alone."""
