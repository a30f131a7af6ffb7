# SPDX-License-Identifier: Apache-2.0
"""Words and images: round trips, every reserved bit, error texts, damaged files."""

import random
from pathlib import Path

import pytest
from hypothesis import given

from ga2.isa.encoding import (
    Constant,
    DecodeError,
    Dim,
    EncodeError,
    Ext,
    Instruction,
    Operand,
    decode,
    encode,
    word_bytes,
)
from ga2.isa.image import Image, ImageError
from ga2.spec import ISA
from tests.isa_strategies import EXTREME_INSTRUCTIONS, INSTRUCTIONS, PATIENT, WORDS, images


@PATIENT
@given(INSTRUCTIONS)
def test_decode_undoes_encode(instruction):
    assert decode(encode(instruction)) == instruction


def test_every_field_survives_at_both_ends():
    for instruction in EXTREME_INSTRUCTIONS:
        fields = decode(encode(instruction)).fields
        for name, value in instruction.fields.items():
            assert fields[name] == value, instruction


@PATIENT
@given(WORDS)
def test_a_word_decodes_to_itself_or_not_at_all(word):
    try:
        assert encode(decode(word)) == word
    except DecodeError:
        pass


def test_fields_lie_where_the_specification_says():
    word = encode(
        Instruction(
            "LD",
            {
                "rows": Dim(5, 1, 2),
                "words": 7,
                "dst": Operand(0x1234, 0x567, 3, 1),
                "ext": Ext(0x89ABCDEF, 0x4321, 2, 1, 3),
            },
        )
    )
    assert word == (
        0x10
        | (5 | 1 << 12 | 2 << 14) << 32
        | 7 << 48
        | (0x1234 | 0x567 << 16 | 3 << 28 | 1 << 30) << 96
        | (0x89ABCDEF | 0x4321 << 32 | 1 << 48 | 3 << 50 | 2 << 52) << 192
    )
    assert word_bytes(word)[:8] == bytes([0x10, 0, 0, 0, 0x05, 0x90, 7, 0])


@pytest.mark.parametrize("name", ISA.instructions)
def test_every_reserved_bit_is_refused(name):
    word = encode(Instruction(name))
    covered = 0xFF
    for field in ISA.instructions[name].fields:
        covered |= ((1 << (54 if field.kind == "ext" else field.bits)) - 1) << field.lsb
    for bit in range(ISA.width):
        if not covered >> bit & 1:
            with pytest.raises(DecodeError, match=f"{name}: reserved bit {bit} is set"):
                decode(word | 1 << bit)


def test_illegal_combinations_are_refused_both_ways():
    both = encode(Instruction("MM", {"residual": 1})) | encode(Instruction("MM", {"rowmul": 1}))
    with pytest.raises(DecodeError, match="residual and rowmul"):
        decode(both)
    with pytest.raises(EncodeError, match="residual and rowmul"):
        encode(Instruction("MM", {"residual": 1, "rowmul": 1}))
    with pytest.raises(DecodeError, match="right_mode = 3"):
        decode(encode(Instruction("MM")) | 3 << 12)
    with pytest.raises(DecodeError, match="unknown opcode 0x00"):
        decode(0)


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        (Instruction("MM", {"zp": 128}), r"MM zp = 128: must lie in -128\.\.127"),
        (Instruction("VEC", {"shift": -1}), r"VEC shift = -1: must lie in 0\.\.31"),
        (Instruction("LD", {"rows": Dim(4096)}), r"LD rows\.imm = 4096: must lie in 0\.\.4095"),
        (Instruction("LD", {"dst": Operand(0, 0, 4)}), r"LD dst\.a = 4: must lie in 0\.\.3"),
        (Instruction("LD", {"dst": 3}), r"LD dst = 3: expected Operand"),
        (Instruction("MM", {"right_mode": "diagonal"}), r"must be one of panel, rows, transposed"),
        (Instruction("HALT", {"rows": 1}), r"HALT has no field rows: it has none"),
        (Instruction("NOP"), r"unknown instruction NOP: choose one of HALT, LD"),
        (Instruction("VEC", {"ma": 1.5}), r"VEC ma = 1\.5: expected an integer -32768\.\.32767"),
    ],
)
def test_errors_name_instruction_field_value_and_range(instruction, text):
    with pytest.raises(EncodeError, match=text):
        encode(instruction)


def test_a_constant_is_sixteen_little_endian_bytes():
    constant = Constant(bias=-2, mult=0x7FFFFFFF, shift=63, rfac=-1)
    raw = bytes.fromhex("feffffff ffffff7f 3f00 ffff 00000000")
    assert constant.to_bytes() == raw
    assert Constant.from_bytes(raw) == constant
    with pytest.raises(EncodeError, match=r"constant mult = 2147483648: must lie in 0\.\.2147483647"):
        Constant(mult=1 << 31).to_bytes()


@PATIENT
@given(images())
def test_an_image_file_reads_back(image):
    assert Image.from_bytes(image.to_bytes()) == image


def test_memory_bytes_are_instructions_then_constants():
    image = Image("nano", [0x7F, 1 << 248], [Constant(bias=1)])
    assert image.memory_bytes() == b"\x7f" + bytes(31) + bytes(31) + b"\x01" + b"\x01" + bytes(15)


def test_any_damage_is_one_clear_error(tmp_path: Path):
    raw = Image("nano", [0x7F], [Constant(1)], {"step": 0}, {0: "end"}).to_bytes()
    path = tmp_path / "damaged.bin"
    bits = random.Random(1).sample(range(8 * len(raw)), 300)
    damaged = [raw[:size] for size in range(len(raw))] + [raw + b"\0"]
    damaged += [raw[: bit // 8] + bytes([raw[bit // 8] ^ 1 << bit % 8]) + raw[bit // 8 + 1 :] for bit in bits]
    for data in damaged:
        path.write_bytes(data)
        with pytest.raises(ImageError) as caught:
            Image.load(path)
        assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)


def test_save_replaces_whole_and_leaves_no_litter(tmp_path: Path):
    path = tmp_path / "model.bin"
    Image("nano", [0x7F]).save(path)
    with pytest.raises(ImageError, match="entry 'late' is at 3, beyond the 1 instructions"):
        Image("nano", [0x7F], entries={"late": 3}).save(path)
    assert Image.load(path) == Image("nano", [0x7F])
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.bin"]


@pytest.mark.parametrize(
    ("image", "text"),
    [
        (Image("huge", []), "unknown configuration 'huge': choose one of nano"),
        (Image("nano", [0x7F] * 513), "513 instructions, but nano holds 512"),
        (Image("nano", [], [Constant()] * 513), "513 constants, but nano holds 512"),
        (Image("nano", [0x7F], entries={"two words": 0}), "entry name 'two words'"),
        (Image("nano", [0x7F], notes={0: "two\nlines"}), "one line of printable text"),
        (Image("nano", [0x7F], notes={0: "clear \x1b[2J"}), "one line of printable text"),
        (Image("nano", [1 << 256]), "instruction 0 is not a 256-bit word"),
    ],
)
def test_images_that_fit_nowhere_are_refused(image, text):
    with pytest.raises(ImageError, match=text):
        image.check()
