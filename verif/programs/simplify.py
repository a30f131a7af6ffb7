# SPDX-License-Identifier: Apache-2.0
"""Smaller variants of a case, each worth a try: fewer instructions first, then plainer ones, then plainer data."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ga2.golden.resolve import State
from ga2.isa.assembler import assemble
from ga2.isa.disassembler import format_instruction
from ga2.isa.encoding import DecodeError, Dim, Ext, Instruction, Operand, decode
from verif.programs.case import CUT, Case, End


def without(case: Case, first: int, count: int) -> Case:
    """The case less some lines of its program."""
    program = case.program[:first] + case.program[first + count :]
    entry = max(min(case.entry - count, len(program) - 1), 0) if first < case.entry else case.entry
    return case.model_copy(update={"program": program, "entry": min(entry, len(program) - 1)})


def halves(case: Case) -> Iterator[tuple[int, int]]:
    """(first, count) of lines to leave out: large pieces from the end first; never the last line, which is HALT."""
    lines = len(case.program) - 1
    count = -(-lines // 2)
    while count:
        for first in range(lines - count, -1, -count):
            yield first, count
        count //= 2


def plainer_lines(case: Case) -> Iterator[tuple[int, str]]:
    """(line, what it could be instead): without LEN and M, one row, one word, flags and numbers at zero."""
    state = State(case.length, case.m)
    for at, line in enumerate(case.program):
        try:
            instruction = decode(assemble(f"{line}\n").instructions[0])
        except DecodeError:
            continue
        for fields in _plainer(instruction, state):
            plain = format_instruction(Instruction(instruction.op, {**instruction.fields, **fields}))
            if plain != line:
                yield at, plain


def plainer_data(case: Case) -> Iterator[Case]:
    """Left to end by itself, or cut short earlier; LEN and M at zero; fewer constants; regions of one value."""
    if case.end.kind in CUT:
        yield case.model_copy(update={"end": End()})
        if case.end.cycles > 1:
            yield case.model_copy(update={"end": case.end.model_copy(update={"cycles": case.end.cycles // 2})})
    if case.length or case.m:
        yield case.model_copy(update={"length": 0, "m": 0})
    for count in (0, 1, len(case.constants) // 2):
        if count < len(case.constants):
            yield case.model_copy(update={"constants": case.constants[:count]})
    for at, region in enumerate(case.memory):
        if region.kind not in ("ids", "equal"):
            plain = region.model_copy(update={"kind": "equal"})
            yield case.model_copy(update={"memory": (*case.memory[:at], plain, *case.memory[at + 1 :])})


def _plainer(instruction: Instruction, state: State) -> Iterator[Mapping[str, Any]]:
    for entry in instruction.spec.fields:
        value = instruction.fields[entry.name]
        if isinstance(value, Operand | Ext):
            if value.a or value.b:
                moved = state.affine(value) * value.pitch
                if isinstance(value, Ext):
                    yield {entry.name: replace(value, a=0, b=0, offset=value.offset + moved)}
                else:
                    yield {entry.name: replace(value, a=0, b=0, base=value.base + moved)}
        elif isinstance(value, Dim):
            if value.a or value.b:
                yield {entry.name: Dim(value.imm + state.affine(value))}
            elif value.imm > 1:
                yield {entry.name: Dim(1)}
                yield {entry.name: Dim(value.imm // 2)}
        elif entry.kind in ("flag", "uint", "int") and value and entry.name != "limit":
            yield {entry.name: 0}
