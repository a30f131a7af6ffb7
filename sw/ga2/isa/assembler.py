# SPDX-License-Identifier: Apache-2.0
"""Text assembly to program images.

    .config nano
    .const  bias=-12 mult=0x40000000 shift=38
    .entry  step
    LD  rows=1 words=2*LEN+4 dst=[0x100:4 @ LEN] ext=win1[0x40:4]   ; cached keys
    .word 0x...                                                      ; any 256 bits, legal or not
    HALT

One instruction a line, fields in any order and zero when left out; a comment beside an instruction stays with the
image as its note. `ga2.isa.disassembler` prints the same language.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from ga2.isa.aliases import ALIASES, expand
from ga2.isa.encoding import (
    WORD_BYTES,
    Constant,
    Dim,
    EncodeError,
    Ext,
    Instruction,
    Operand,
    Value,
    encode,
    encode_field,
    value_range,
)
from ga2.isa.image import ENTRY_NAME, Image, ImageError
from ga2.spec import CONFIG_NAMES, ISA, Field

NUMBER = r"(?:0x[0-9a-fA-F]{1,64}|0|[1-9][0-9]{0,77})"  # no wider than an instruction word
_ASSIGNMENT = re.compile(r"(?P<name>\w+)=(?P<value>(?:\w*\[[^\]]*\])|[^\s\[\]]+)(?=\s|$)")
_TERM = re.compile(rf"(?:(?P<factor>{NUMBER})\*)?(?P<register>LEN|M)|(?P<number>{NUMBER})")
_OPERAND = re.compile(rf"\[(?P<base>{NUMBER})(?::(?P<pitch>{NUMBER}))?(?:@(?P<rows>[^\]]+))?\]")
_INTEGER = re.compile(rf"-?{NUMBER}")

FORMS = {
    "flag": "0 or 1",
    "uint": "an integer such as 12 or 0x0c",
    "int": "an integer such as -12 or 0x0c",
    "dim": "a sum such as 16, LEN+M or 2*LEN+3*M+5",
    "operand": "[base:pitch] or [base:pitch @ LEN+M], in words",
    "ext": "win0[offset:pitch] to win3[offset:pitch @ LEN], in words",
}


class AsmError(ValueError):
    """Wrong assembly text: `file:line:column: what is wrong; what would be right`."""

    def __init__(self, name: str, line: int, column: int, message: str) -> None:
        super().__init__(f"{name}:{line}:{column}: {message}")
        self.line = line
        self.column = column


class _Wrong(Exception):
    """What is wrong, at which column (from 0) of the line in hand."""

    def __init__(self, column: int, message: str) -> None:
        super().__init__(message)
        self.column = column


def parse_affine(text: str) -> Dim | None:
    """A sum of an integer, LEN and M terms as a Dim, each at most once; None if `text` is something else."""
    parts = {"imm": 0, "a": 0, "b": 0}
    seen = set()
    for term in text.replace(" ", "").split("+"):
        match = _TERM.fullmatch(term)
        if match is None:
            return None
        key = {"LEN": "a", "M": "b", None: "imm"}[match["register"]]
        if key in seen:
            return None
        seen.add(key)
        parts[key] = int(match["number"] or match["factor"] or "1", 0)
    return Dim(**parts)


def parse_operand(text: str) -> Operand | None:
    """`[base:pitch @ rows]` as an Operand; None if `text` is something else. The pitch may be left out (0)."""
    match = _OPERAND.fullmatch(text.replace(" ", ""))
    rows = parse_affine(match["rows"]) if match and match["rows"] else Dim()
    if match is None or rows is None or rows.imm:
        return None
    return Operand(int(match["base"], 0), int(match["pitch"] or "0", 0), rows.a, rows.b)


def parse_value(spec: Field, text: str) -> Value | None:
    """The value of one field; None if the text does not have the field's form."""
    if spec.kind == "dim":
        return parse_affine(text)
    if spec.kind == "operand":
        return parse_operand(text)
    if spec.kind == "ext":
        operand = parse_operand(text[4:]) if re.match(r"win[0-3]\[", text) else None
        return operand and Ext(operand.base, operand.pitch, int(text[3]), operand.a, operand.b)
    if spec.kind == "enum":
        return text if text in spec.values else None
    return int(text, 0) if _INTEGER.fullmatch(text) else None


def _assignments(text: str, start: int) -> list[tuple[str, str, int]]:
    """The `name=value` pairs of a line from column `start`: (name, value, column)."""
    pairs: list[tuple[str, str, int]] = []
    at = start
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        match = _ASSIGNMENT.match(text, at)
        if match is None:
            raise _Wrong(at, f"cannot read '{text[at:].split()[0]}': expected field=value")
        if match["name"] in (name for name, _, _ in pairs):
            raise _Wrong(at, f"{match['name']} is given twice")
        pairs.append((match["name"], match["value"], at))
        at = match.end()
    return pairs


def _fields(where: str, specs: tuple[Field, ...], text: str, start: int) -> dict[str, Value]:
    """The values of a line's assignments, each checked against its field."""
    known = {spec.name: spec for spec in specs}
    values: dict[str, Value] = {}
    for name, literal, column in _assignments(text, start):
        spec = known.get(name)
        if spec is None:
            raise _Wrong(column, f"{where} has no field '{name}': it has {', '.join(known) or 'none'}")
        value = parse_value(spec, literal)
        if value is None:
            form = FORMS.get(spec.kind) or f"one of {', '.join(spec.values)}"
            raise _Wrong(column, f"{where} {name} = '{literal}': expected {form}")
        try:
            encode_field(f"{where} {name}", spec, value)
        except EncodeError as error:
            raise _Wrong(column, str(error)) from None
        values[name] = value
    return values


@dataclass
class _Assembler:
    """The image as far as it is read."""

    image: Image
    config_seen: bool = False

    def directive(self, name: str, text: str, start: int) -> None:
        """One line that begins with a dot."""
        rest = text[start:].strip()
        column = start + len(text[start:]) - len(text[start:].lstrip())
        if name == ".const":
            values = _fields(".const", ISA.constant, text, start)
            self.image.constants.append(Constant(**{key: int(str(value)) for key, value in values.items()}))
        elif name == ".entry":
            if not ENTRY_NAME.fullmatch(rest):
                raise _Wrong(column, f"entry name '{rest}': letters, digits, '_', '.', '-', not beginning with a digit")
            if rest in self.image.entries:
                raise _Wrong(column, f"entry '{rest}' exists already, at instruction {self.image.entries[rest]}")
            self.image.entries[rest] = len(self.image.instructions)
        elif name == ".word":
            word = int(rest, 0) if re.fullmatch(NUMBER, rest) else -1
            if not 0 <= word <= value_range(8 * WORD_BYTES, False)[1]:
                raise _Wrong(column, f".word '{rest}': expected an unsigned integer of {8 * WORD_BYTES} bits")
            self.image.instructions.append(word)
        elif name == ".config":
            if rest not in CONFIG_NAMES:
                raise _Wrong(column, f"unknown configuration '{rest}': choose one of {', '.join(CONFIG_NAMES)}")
            if self.config_seen:
                raise _Wrong(column, f"the configuration is already {self.image.config}")
            self.image = Image(rest, *list(vars(self.image).values())[1:])
            self.config_seen = True
        else:
            raise _Wrong(text.index(name), f"unknown directive {name}: it is .config, .const, .entry or .word")

    def instruction(self, name: str, text: str, start: int) -> None:
        """One line that begins with a mnemonic."""
        op = ALIASES[name].op if name in ALIASES else name
        if op not in ISA.instructions:
            names = ", ".join([*ISA.instructions, *ALIASES])
            raise _Wrong(text.index(name), f"unknown instruction '{name}': choose one of {names}")
        values = _fields(name, ISA.instructions[op].fields, text, start)
        try:
            self.image.instructions.append(encode(Instruction(op, expand(name, values))))
        except EncodeError as error:
            raise _Wrong(text.index(name), str(error)) from None

    def line(self, text: str) -> None:
        """One line of text."""
        code, _, comment = text.partition(";")
        before = len(self.image.instructions)
        if match := re.match(r"\s*(\S+)", code):
            read = self.directive if match[1].startswith(".") else self.instruction
            read(match[1], code, match.end())
        note = " ".join(comment.split())
        if len(self.image.instructions) > before and note:
            if not note.isprintable():
                raise _Wrong(text.index(";"), "the comment holds control characters: expected printable text")
            self.image.notes[before] = note


def assemble(text: str, name: str = "<text>") -> Image:
    """Assemble `text` to an image; AsmError gives file `name`, line and column (from 1) of the first mistake."""
    assembler = _Assembler(Image(CONFIG_NAMES[0], []))
    lines = re.split(r"\r?\n", text)
    for number, line in enumerate(lines, 1):
        try:
            assembler.line(line)
        except _Wrong as wrong:
            raise AsmError(name, number, wrong.column + 1, str(wrong)) from None
    if not assembler.image.instructions:
        raise AsmError(name, len(lines), 1, "no instruction: a program has at least a HALT")
    try:
        assembler.image.check()
    except ImageError as error:
        raise AsmError(name, len(lines), 1, str(error)) from None
    return assembler.image


def assemble_file(path: str | Path) -> Image:
    """Assemble the text of a UTF-8 file, with or without a byte order mark."""
    return assemble(Path(path).read_text(encoding="utf-8-sig"), str(path))
