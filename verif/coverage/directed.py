# SPDX-License-Identifier: Apache-2.0
"""Programs made for what random ones hardly meet: 4095 rows, every place in a page, every window, every LEN and M.

They follow from the configuration alone. An instruction that does not fit into a configuration's scratchpad is left
out there; a bin that none of them then hits stays a hole.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ga2.device.protocol import FaultReport, Window
from ga2.golden.resolve import DIM_MAX, GATHER_PITCH_MAX, State, resolve
from ga2.isa.encoding import Constant, Dim, EncodeError, Ext, Instruction, Operand, encode
from ga2.isa.image import Image
from ga2.spec import ISA, Config
from ga2.timing.bursts import BURST_BEATS, PAGE_BYTES
from verif.coverage.burst_bins import TRANSFERS, examples
from verif.coverage.context import OPERATIONS
from verif.coverage.dimension_bins import SIZES
from verif.programs.program import ENTRY, Program

DATA_ADDRESS = 0x10000
DATA_BYTES = 0x2E000
ID_WORDS = 16
"""The first words of the data are the ids 0, 1, 2, ... each in a word of its own; the rest is random."""
WINDOW = Window(DATA_ADDRESS, DATA_BYTES, True)
CONSTANTS = 64
SOME_LENGTH, SOME_M = 9, 5


@dataclass
class Body:
    """Instructions for a configuration, behind a prologue that fills the scratchpad."""

    config: Config
    state: State = field(default_factory=lambda: State(0, 0, (WINDOW,) * 4))
    words: list[int] = field(default_factory=list)

    def prologue(self) -> "Body":
        """Fill the scratchpad from the data, bank by bank."""
        words = self.config.bank_words
        for bank in range(self.config.banks):
            self.add("LD", rows=1, words=words, dst=Operand(bank * words, words), ext=Ext(bank * words % 4096, words))
        return self

    def add(self, op: str, **fields: object) -> bool:
        """Append an instruction, if this configuration can execute it; numbers of a dimension are immediate."""
        kinds = {each.name: each.kind for each in ISA.instructions[op].fields}
        given = {name: Dim(value) if kinds[name] == "dim" and isinstance(value, int) else value
                 for name, value in fields.items()}  # fmt: skip
        try:
            word = encode(Instruction(op, given))
        except EncodeError:
            return False
        good = not isinstance(resolve(word, 0, self.config, self.state), FaultReport)
        self.words += [word] if good else []
        return good


def longest(config: Config) -> Body:
    """Dimensions of 4095, and the longest gathers."""
    body, most = Body(config).prologue(), DIM_MAX
    last = min(most, config.spad_words - 1)
    dense, one = Operand(0, 1), Operand(last, 0)
    body.add("VEC", rows=most, n=1, out=dense, a=dense, ma=1, lo=-128, hi=127)
    body.add("AMAX", rows=most, n=1, out=dense, src=one)
    body.add("SM", rows=1, n=most, len=most, dst=dense, src=dense, rmul=one, emul=99, scale=1 << 30)
    body.add("SM", rows=most, n=1, len=1, dst=dense, src=dense, rmul=Operand(most, 1), emul=99, scale=1 << 30)
    body.add("SM", rows=2, n=256, len=1, step=255, dst=Operand(0, 64), src=Operand(0, 64), rmul=one, scale=1 << 30)
    body.add("SM", rows=2, n=256, len=1, step=255, dst=Operand(0, 64), src=Operand(0, 64), rmul=Operand(last - 1, 1))
    body.add("ST", rows=1, words=most, src=dense, ext=Ext(0, 1))
    body.add("LD", rows=1, words=1, dst=one, ext=Ext(1, 1, 1))
    body.add("LDG", rows=most, words=1, limit=ID_WORDS, dst=dense, ids=one, ext=Ext(64, 1, 1))
    burst, widest = BURST_BEATS // config.beats_per_word, GATHER_PITCH_MAX // config.cols
    for words in (burst - 1, burst, burst + 1, 2 * burst, widest - 1, widest):
        pitch = 1 << (words - 1).bit_length()
        body.add("LDG", rows=2, words=words, limit=4, dst=Operand(0, words), ids=one, ext=Ext(0, pitch, 1))
    return body


def banks(config: Config) -> Body:
    """Operands whose rows lie in three banks, and at both ends of the scratchpad."""
    body, bank = Body(config).prologue(), config.bank_words
    wide = [Operand(place * bank + 3, bank) for place in range(config.banks - 2)]
    near = [Operand(place * bank + 40, 1) for place in range(config.banks)]
    mm = {"m": 3, "n": 1, "k": 1, "right_mode": "rows", "hi": 127, "lo": -128}
    body.add("MM", **mm, out=near[7], left=wide[0], right=near[4])
    body.add("MM", **mm | {"k": 3}, out=near[7], left=near[0], right=wide[2])
    body.add("MM", **mm, residual=1, out=near[7], left=near[0], right=near[1], aux=wide[3])
    body.add("VEC", rows=3, n=1, second=1, out=near[7], a=wide[0], b=wide[3], ma=3, mb=-2, lo=-128, hi=127)
    body.add("AMAX", rows=3, n=2, out=Operand(5, bank), src=Operand(3 * bank + 9, bank))
    body.add("SM", rows=3, n=2, len=2, dst=near[7], src=wide[0], rmul=wide[3], emul=9000, scale=1 << 30)
    body.add("LD", rows=3, words=1, dst=wide[0], ext=Ext(1, 1))
    body.add("LDG", rows=3, words=1, limit=ID_WORDS, dst=near[7], ids=wide[0], ext=Ext(64, 1))
    return body


def windows(config: Config) -> Body:
    """Every transfer through every window, and every opcode as a no-op, the first of them in an empty window."""
    body = Body(config)
    ids = {"ids": Operand(0, 1), "limit": ID_WORDS}
    for op in OPERATIONS:
        sizes = [each.name for each in ISA.instructions[op].fields if each.kind == "dim"]
        for none in sizes[:2]:
            body.add(op, **{name: 0 if name == none else 1 for name in sizes})
    body.prologue()
    for window in range(4):
        body.add("LD", rows=2, words=3, dst=Operand(20, 5), ext=Ext(window, 3, window))
        body.add("LD", rows=4, words=1, dst=Operand(0, 1), ext=Ext(0, 1, window))
        body.add("LDG", rows=2, words=1, dst=Operand(50, 1), **ids, ext=Ext(64, 1, window))
        body.add("ST", rows=2, words=3, src=Operand(70, 5), ext=Ext(200 * window + 200, 3, window))
    return body


def bursts(config: Config) -> Body:
    """A row of every class, for every transfer; pages begin where the data do."""
    body = Body(config).prologue()
    page = PAGE_BYTES // config.cols
    for op in TRANSFERS:
        for start, words in examples(op, config).values():
            if op == "LD":
                body.add(op, rows=1, words=words, dst=Operand(0, words), ext=Ext(4 * page + start, words))
            elif op == "ST":
                body.add(op, rows=1, words=words, src=Operand(0, words), ext=Ext(4 * page + start, words))
            else:
                pitch = 1 << (words - 1).bit_length()
                body.add("LD", rows=1, words=1, dst=Operand(config.spad_words - 1, 1), ext=Ext(0, 1))
                body.add(op, rows=1, words=words, limit=1, dst=Operand(0, words),
                         ids=Operand(config.spad_words - 1, 1), ext=Ext(4 * page + start, pitch))  # fmt: skip
    return body


def external(config: Config) -> Body:
    """Stores before and behind transfers of the same words, and of words that only touch theirs."""
    body = Body(config).prologue()
    body.add("LD", rows=12, words=1, dst=Operand(0, 1), ext=Ext(0, 1))
    first, last, bank = 2048, 2060, config.bank_words
    reaches = ((0, 0), (3, -3), (-3, 3), (-3, -3), (3, 3), (-12, -12), (12, 12))
    place = 0

    def transfer(op: str, lo: int, hi: int) -> None:
        nonlocal place
        place = (place + 1) % 4
        spot, words = Operand((1 + place) * bank + 8 * place, 1), {"rows": 1, "words": hi - lo}
        if op == "LDG":
            body.add(op, rows=2, words=1, limit=hi - lo, dst=spot, ids=Operand(0, 1), ext=Ext(lo, 1))
        elif op == "LD":
            body.add(op, **words, dst=spot, ext=Ext(lo, 1))
        else:
            body.add(op, **words, src=spot, ext=Ext(lo, 1))

    for older, newer in (("ST", "LD"), ("ST", "LDG"), ("LD", "ST"), ("LDG", "ST"), ("ST", "ST")):
        for low, high in reaches:
            transfer(older, first, last)
            transfer(newer, first + low, last + high)
            body.add("AMAX", rows=40, n=1, out=Operand(6 * bank, 1), src=Operand(7 * bank, 0))
    return body


def registers(length: int, m: int) -> Callable[[Config], Body]:
    """A program whose sizes and places follow LEN and M, at given values; a negative LEN counts from the largest."""

    def made(config: Config) -> Body:
        block = config.m_max if m < 0 else m
        cache = config.max_len - block if length < 0 else length
        body = Body(config, State(cache, block, (WINDOW,) * 4)).prologue()
        both, base = Dim(1, 1, 1), 4 * config.bank_words
        body.add("VEC", rows=both, n=1, out=Operand(base, 1), a=Operand(base, 1), ma=2, lo=-128, hi=127)
        body.add("LD", rows=Dim(0, 0, 1), words=1, dst=Operand(0, 1, 1, 0), ext=Ext(0, 1, 0, 1, 0))
        body.add("AMAX", rows=Dim(0, 1, 1), n=1, out=Operand(0, 1), src=Operand(base, 1))
        body.add("SM", rows=both, n=1, len=1, dst=Operand(base, 1), src=Operand(base, 1), rmul=Operand(0, 1))
        body.add("ST", rows=both, words=1, src=Operand(base, 1), ext=Ext(512, 1, 1))
        body.add("LD", rows=1, words=1, dst=Operand(base - 1, 1), ext=Ext(0, 1))
        ids = Operand(base - 1, 0)
        body.add("LDG", rows=Dim(0, 1, 0), words=1, limit=1, dst=Operand(0, 1), ids=ids, ext=Ext(64, 1))
        return body

    return made


VALUES = {"0": 0, "1": 1, "some": SOME_LENGTH, "max": -1}
BODIES: dict[str, Callable[[Config], Body]] = {
    **{made.__name__: made for made in (longest, banks, windows, bursts, external)},
    **{
        f"registers: LEN {length}, M {m}": registers(VALUES[length], SOME_M if m == "some" else VALUES[m])
        for length in SIZES
        for m in SIZES
    },
}


def data(config: Config) -> bytes:
    """The external memory of all these programs."""
    ids = b"".join(value.to_bytes(4, "little").ljust(config.cols, b"\0") for value in range(ID_WORDS))
    return ids + random.Random(config.name).randbytes(DATA_BYTES - len(ids))


def directed_program(config: Config, name: str) -> Program:
    """One of `BODIES` for a configuration."""
    body = BODIES[name](config)
    constants = [Constant(7 * number, 1 << 30, 31, 3) for number in range(CONSTANTS)]
    image = Image(config.name, [*body.words, encode(Instruction("HALT"))], constants, {ENTRY: 0})
    memory = {DATA_ADDRESS: data(config)}
    state = body.state
    return Program(0, image, memory, tuple(state.windows), state.length, state.m, f"directed: {name}")


def names() -> Iterator[str]:
    """What they are called."""
    yield from BODIES
