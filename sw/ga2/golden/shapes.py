# SPDX-License-Identifier: Apache-2.0
"""Which operands an instruction uses, and how many rows of how many words each has."""

from ga2.isa.encoding import Instruction

Dims = dict[str, int]
"""Resolved dimensions by name, in field order: rows or m, words or n, k or len."""

ONE_WORD = {("AMAX", "out"), ("LDG", "ids"), ("SM", "rmul")}
"""Operands whose rows are one 32-bit value."""


def words_of(elements: int, cols: int) -> int:
    """Words that a row of `elements` bytes takes."""
    return -(-elements // cols)


def row_words(instruction: Instruction, name: str, dims: Dims, cols: int) -> int:
    """Words a row of operand `name`, where its rows are those of the instruction's first dimension."""
    if (instruction.op, name) in ONE_WORD or (name == "aux" and instruction.fields["rowmul"]):
        return 1
    if "words" in dims:
        return dims["words"]
    return words_of(dims["n"], cols)


def read_only_shapes(instruction: Instruction, dims: Dims, cols: int) -> dict[str, tuple[int, int]]:
    """(rows, words a row) of the operands whose shape is not the destination's: a product's two factors."""
    if instruction.op != "MM":
        return {}
    n_words, k_words = words_of(dims["n"], cols), words_of(dims["k"], cols)
    right = {
        "panel": (1, n_words * dims["k"]),
        "rows": (dims["k"], n_words),
        "transposed": (dims["n"], k_words),
    }
    return {"left": (dims["m"], k_words), "right": right[str(instruction.fields["right_mode"])]}
