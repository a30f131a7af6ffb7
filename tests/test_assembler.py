# SPDX-License-Identifier: Apache-2.0
"""Text assembly: round trips to the byte, what the text means, and error messages with their places."""

import pytest
from hypothesis import given

from ga2.isa.assembler import AsmError, assemble, assemble_file
from ga2.isa.disassembler import disassemble, disassemble_word
from ga2.isa.encoding import Constant, Dim, Ext, Instruction, Operand, decode, encode
from tests.isa_strategies import EXTREME_INSTRUCTIONS, INSTRUCTIONS, PATIENT, images


@PATIENT
@given(images())
def test_text_assembles_back_to_the_same_bytes(image):
    again = assemble(disassemble(image))
    assert again == image
    assert again.to_bytes() == image.to_bytes()


@PATIENT
@given(INSTRUCTIONS)
def test_one_line_is_the_whole_instruction(instruction):
    word = encode(instruction)
    assert assemble(disassemble_word(word)).instructions == [word]


def test_every_field_prints_at_both_ends():
    for instruction in EXTREME_INSTRUCTIONS:
        word = encode(instruction)
        assert assemble(disassemble_word(word)).instructions == [word], instruction


def test_a_program_reads_as_it_is_written():
    image = assemble(
        """
        .config wide
        .const bias=-3 mult=0x40000000 shift=38   ; column 0
        .const rfac=-1
        .entry step
        LD rows=2*LEN+3*M+5 words=16 dst=[0x100:4 @ LEN] ext=win1[0x40:4 @ M + 2*LEN]  ; keys; and more
        .entry last
        MM m=M n=4 k=16 right_mode=transposed zp=-1 out=[1:2] left=[3] right=[5:6] hi=127
        HALT
        """
    )
    assert image.config == "wide"
    assert image.constants == [Constant(-3, 0x40000000, 38, 0), Constant(rfac=-1)]
    assert image.entries == {"step": 0, "last": 1}
    assert image.notes == {0: "keys; and more"}
    assert decode(image.instructions[0]).fields == {
        "rows": Dim(5, 2, 3),
        "words": Dim(16),
        "dst": Operand(0x100, 4, 1, 0),
        "ext": Ext(0x40, 4, 1, 2, 1),
    }
    product = decode(image.instructions[1]).fields
    assert (product["m"], product["right_mode"], product["zp"]) == (Dim(0, 0, 1), "transposed", -1)
    assert (product["left"], product["aux"]) == (Operand(3, 0), Operand())


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"second": 1, "ma": 1}, "VADD  ma=1 out=[0x0:0] a=[0x0:0] b=[0x0:0]"),
        ({"ma": 1, "zp": 3, "lo": 3}, "VRELU ma=1 zp=3 out=[0x0:0] a=[0x0:0]"),
        ({"ma": 1, "zp": 3, "lo": 2}, "RQ    ma=1 zp=3 out=[0x0:0] a=[0x0:0] lo=2"),
        ({"ma": -1}, "RQ    ma=-1 out=[0x0:0] a=[0x0:0]"),
    ],
)
def test_a_vector_operation_has_one_printed_name(fields, text):
    word = encode(Instruction("VEC", fields))
    assert disassemble_word(word) == text
    assert (
        assemble(text).instructions
        == assemble(
            f"VEC {text[6:]} second={fields.get('second', 0)}"
            + (f" lo={fields['lo']}" if text.startswith("VRELU") else "")
        ).instructions
        == [word]
    )


def test_illegal_words_are_printed_as_words():
    assert disassemble_word(0x1234) == f".word 0x{0x1234:064x}"


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("HALT\n  JUMP rows=1", "2:3", "unknown instruction 'JUMP': choose one of HALT, LD, .*, VRELU, RQ"),
        ("LD rows=1 depth=3", "1:11", "LD has no field 'depth': it has rows, words, dst, ext"),
        ("LD rows=LEN*2", "1:4", "LD rows = 'LEN\\*2': expected a sum such as 16, LEN\\+M or 2\\*LEN\\+3\\*M\\+5"),
        ("LD rows=LEN+LEN", "1:4", "expected a sum such as"),
        ("LD dst=0x10", "1:4", "LD dst = '0x10': expected \\[base:pitch\\] or"),
        ("LD dst=[0x10:4 @ LEN+3]", "1:4", "expected \\[base:pitch\\]"),
        ("LD ext=win4[0:1]", "1:4", "expected win0"),
        ("LD dst=[0x10000:4]", "1:4", "LD dst.base = 65536: must lie in 0..65535"),
        ("LD rows=4096", "1:4", "LD rows.imm = 4096: must lie in 0..4095"),
        ("MM zp=-129", "1:4", "MM zp = -129: must lie in -128..127"),
        ("MM right_mode=diagonal", "1:4", "expected one of panel, rows, transposed"),
        ("MM residual=1 rowmul=1", "1:1", "residual and rowmul exclude each other"),
        ("LD rows=1 rows=2", "1:11", "rows is given twice"),
        ("LD rows", "1:4", "cannot read 'rows': expected field=value"),
        ("VADD second=0", "1:1", "VADD implies second=1, not 0: use VEC for that"),
        (".config huge", "1:9", "unknown configuration 'huge': choose one of nano, wide"),
        (".config nano\n.config nano", "2:9", "the configuration is already nano"),
        (".entry a\nHALT\n.entry a", "3:8", "entry 'a' exists already, at instruction 0"),
        (".entry 2x", "1:8", "entry name '2x'"),
        (".const scale=1", "1:8", ".const has no field 'scale': it has bias, mult, shift, rfac"),
        (".word -1", "1:7", "expected an unsigned integer of 256 bits"),
        ("HALT ; a\x1b[2Jb", "1:6", "the comment holds control characters: expected printable text"),
        (".org 3", "1:1", "unknown directive .org: it is .config, .const, .entry or .word"),
        ("HALT\n.entry end", "2:1", "entry 'end' is at 1, beyond the 1 instructions"),
    ],
)
def test_mistakes_are_placed_and_explained(text, place, what):
    with pytest.raises(AsmError, match=rf"^prog\.s:{place}: .*{what}"):
        assemble(text, "prog.s")


def test_a_file_is_named_in_its_errors(tmp_path):
    path = tmp_path / "wrong.s"
    path.write_text("NOP\n")
    with pytest.raises(AsmError, match=rf"{path}:1:1: unknown instruction"):
        assemble_file(path)
