# SPDX-License-Identifier: Apache-2.0
"""Random legal programs: a seed gives an image, memory contents, windows, LEN and M.

An instruction is drawn field by field and kept if dispatch would let it pass (`ga2.golden.resolve`), so legality has
one definition. A prologue fills the whole scratchpad, hence nothing undefined is ever read. Operands are drawn from a
few places, so that instructions collide often; ids are drawn below every gather's limit and kept in a region that
only the prologue writes.
"""

import random

from ga2.device.protocol import WINDOWS, FaultReport, Window
from ga2.golden.resolve import State, resolve
from ga2.isa.encoding import Constant, Dim, Ext, Instruction, Operand, encode
from ga2.isa.image import Image
from ga2.spec import ISA, Config
from verif.programs.program import ENTRY, Program

TABLE_ADDRESS = 0x10000
FILL_ADDRESS = 0x18000
SCRATCH_ADDRESS = 0x3A000
TABLE_BYTES = 1 << 14
SCRATCH_BYTES = 1 << 14
ID_ROWS = 33
IDS_BELOW = 8
CONSTANTS = 64
TRIES = 400


class Generator:
    """Draws the instructions of one program for `config`."""

    def __init__(self, config: Config, seed: int) -> None:
        self.config = config
        self.rng = random.Random(seed)
        self.m = self.rng.choice([0, 1, 1, 2, 3, 4, 5, 8, 16])
        self.length = self.rng.choice([0, 1, 2, 3, 7, 8, 16, 31])
        self.windows: tuple[Window, ...] = (
            Window(TABLE_ADDRESS, TABLE_BYTES),
            Window(SCRATCH_ADDRESS, SCRATCH_BYTES, True),
            Window(FILL_ADDRESS, config.spad_bytes),
        )
        self.state = State(self.length, self.m, self.windows)
        self.draws = {"LD": self.draw_ld, "LDG": self.draw_ldg, "ST": self.draw_st, "MM": self.draw_mm,
                      "SM": self.draw_sm, "VEC": self.draw_vec, "AMAX": self.draw_amax}
        step = config.bank_words // 2
        self.places = [ID_ROWS + self.rng.randrange(4) + step * place for place in range(2 * config.banks)]

    def set_window(self, index: int, window: Window) -> None:
        """Set one window of the program; those between the random ones and it are empty."""
        padded = [*self.windows, *[Window(0, 0)] * (WINDOWS - len(self.windows))]
        padded[index] = window
        self.set_windows(tuple(padded))

    def set_windows(self, windows: tuple[Window, ...]) -> None:
        """Set all windows of the program."""
        self.windows = windows
        self.state = State(self.length, self.m, windows)

    def dim(self, value: int) -> Dim:
        """An encoding of `value`, through LEN or M when that fits."""
        a, b = self.rng.choice([(0, 0), (0, 0), (0, 1), (1, 0), (1, 1)])
        rest = value - a * self.length - b * self.m
        return Dim(rest, a, b) if rest >= 0 else Dim(value)

    def operand(self, words: int) -> Operand:
        """Somewhere in the scratchpad, rows of at least `words` words."""
        pitch = words + self.rng.choice([0, 0, 0, 1, 3])
        start = self.rng.choice(self.places) + self.rng.choice([0, 0, 1, 5])
        a, b = self.rng.choice([(0, 0), (0, 0), (1, 0), (0, 1), (1, 1)])
        base = start - (a * self.length + b * self.m) * pitch
        return Operand(base, pitch, a, b) if base >= 0 else Operand(start, pitch)

    def rows(self) -> int:
        """A number of rows around the array's height and the block's size."""
        rows = self.config.rows
        return self.rng.choice([0, 1, 1, 2, rows - 1, rows, rows + 1, 2 * rows, self.m, self.m])

    def columns(self) -> int:
        """A number of elements around a multiple of the array's width."""
        cols = self.config.cols
        return self.rng.choice([1, 2, cols - 1, cols, cols, cols + 1, 2 * cols, 3 * cols + 1, self.length + self.m + 1])

    def bounds(self) -> dict[str, int]:
        """Zero point and clamp."""
        zp = self.rng.choice([0, 0, -128, 5, 127])
        return {"zp": zp, **self.rng.choice([{"lo": -128, "hi": 127}, {"lo": zp, "hi": 127}, {"lo": -7, "hi": 9}])}

    def words(self, elements: int) -> int:
        """Words of a matrix row."""
        return -(-elements // self.config.cols)

    def draw_ld(self) -> Instruction:
        words = self.rng.choice([1, 1, 2, 4, 16, 33])
        dst = self.operand(words)
        pitch = self.rng.choice([words, words, words + 2, dst.pitch])
        window = self.rng.choice([0, 1])
        ext = Ext(self.rng.randrange(2000), pitch, window, *self.rng.choice([(0, 0), (1, 0), (0, 1)]))
        return Instruction("LD", {"rows": self.dim(self.rows()), "words": Dim(words), "dst": dst, "ext": ext})

    def draw_ldg(self) -> Instruction:
        pitch = self.rng.choice([1, 2, 4, 8])
        words = self.rng.randint(1, pitch)
        ext = Ext(self.rng.randrange(64) * pitch, pitch, self.rng.choice([0, 1]))
        return Instruction("LDG", {"rows": self.dim(self.rows()), "words": Dim(words), "limit": IDS_BELOW,
                                   "dst": self.operand(words), "ids": Operand(0, 1), "ext": ext})

    def draw_st(self) -> Instruction:
        words = self.rng.choice([1, 1, 2, 4, 16])
        src = self.operand(words)
        ext = Ext(self.rng.randrange(2000), self.rng.choice([words, words + 1]), 1,
                  *self.rng.choice([(0, 0), (1, 0), (0, 1)]))
        return Instruction("ST", {"rows": self.dim(self.rows()), "words": Dim(words), "src": src, "ext": ext})

    def draw_mm(self) -> Instruction:
        m, n, k = self.rows(), self.columns(), self.columns()
        mode = self.rng.choice(["panel", "rows", "transposed"])
        aux = self.rng.choice([{}, {}, {"residual": 1}, {"rowmul": 1}])
        right = self.operand(self.words(k) if mode == "transposed" else self.words(n))
        aux_words = 1 if "rowmul" in aux else self.words(n)
        flags = {name: self.rng.randint(0, 1) for name in ("unsigned_left", "double_round", "uniform")}
        operands = {"out": self.operand(self.words(n)), "left": self.operand(self.words(k)), "right": right}
        if aux:
            operands["aux"] = self.operand(aux_words)
        return Instruction("MM", {"m": self.dim(m), "n": self.dim(n), "k": self.dim(k), "right_mode": mode,
                                  "const": self.rng.randrange(CONSTANTS), **flags, **aux, **operands, **self.bounds()})

    def draw_sm(self) -> Instruction:
        rows, n, step = self.rows(), self.columns(), self.rng.choice([0, 0, 1, 1, 3])
        length = self.rng.randint(1, max(1, n - max(rows - 1, 0) * step))
        src = self.operand(self.words(n))
        dst = src if self.rng.random() < 0.5 else self.operand(self.words(n))
        return Instruction("SM", {"rows": self.dim(rows), "n": self.dim(n), "len": self.dim(length), "step": step,
                                  "norm": self.rng.randint(0, 1), "emul": self.rng.choice([0, 300, 4000, 47274, 65535]),
                                  "scale": self.rng.choice([1 << 30, (1 << 31) - 1, 12345]),
                                  "dst": dst, "src": src, "rmul": self.operand(1)})

    def draw_vec(self) -> Instruction:
        n = self.columns()
        a = self.operand(self.words(n))
        fields = {"rows": self.dim(self.rows()), "n": self.dim(n), "a": a, "ma": self.rng.choice([1, -3, 181, 32767]),
                  "out": a if self.rng.random() < 0.3 else self.operand(self.words(n)),
                  "shift": self.rng.choice([0, 1, 7, 14, 31]), **self.bounds()}
        if self.rng.random() < 0.6:
            fields |= {"second": 1, "b": self.operand(self.words(n)), "mb": self.rng.choice([1, -32768, 77])}
        return Instruction("VEC", fields)

    def draw_amax(self) -> Instruction:
        n = self.columns()
        return Instruction("AMAX", {"rows": self.dim(self.rows()), "n": self.dim(n), "out": self.operand(1),
                                    "src": self.operand(self.words(n))})

    def writes_ids(self, word: int) -> bool:
        """Whether an instruction would overwrite the gathers' ids."""
        resolved = resolve(word, 0, self.config, self.state)
        return not isinstance(resolved, FaultReport) and any(access.lo < ID_ROWS for access in resolved.writes)

    def instruction(self) -> int:
        """One legal instruction."""
        draw = self.rng.choice([self.draw_ld, self.draw_ld, self.draw_ldg, self.draw_st, self.draw_mm, self.draw_mm,
                                self.draw_mm, self.draw_sm, self.draw_vec, self.draw_amax])
        for _ in range(TRIES):
            word = encode(draw())
            if not isinstance(resolve(word, 0, self.config, self.state), FaultReport) and not self.writes_ids(word):
                return word
        raise RuntimeError(f"no legal instruction from {draw.__name__} in {TRIES} tries")

    def working(self, op: str) -> Instruction:
        """One legal instruction of an opcode that does something."""
        for _ in range(TRIES):
            instruction = self.draws[op]()
            resolved = resolve(encode(instruction), 0, self.config, self.state)
            if not isinstance(resolved, FaultReport) and resolved.op is not None:
                return resolved.instruction
        raise RuntimeError(f"no working {op} in {TRIES} tries")

    def faulty(self) -> int:
        """One instruction that dispatch refuses: a legal one with a field or some bits spoilt."""
        for _ in range(TRIES):
            word = self.instruction()
            spoilt = self.rng.choice(ISA.by_opcode[word & 0xFF].fields) if self.rng.random() < 0.8 else None
            if spoilt:
                word ^= self.rng.getrandbits(spoilt.bits) << spoilt.lsb
            else:
                word ^= 1 << self.rng.randrange(ISA.width)
            if isinstance(resolve(word, 0, self.config, self.state), FaultReport):
                return word
        raise RuntimeError(f"no faulty instruction in {TRIES} tries")

    def constant(self) -> Constant:
        """A column constant, extremes included."""
        return Constant(self.rng.choice([0, self.rng.randint(-5000, 5000), 2**31 - 1, -(2**31)]),
                        self.rng.choice([0, 1 << 30, self.rng.randint(1 << 30, (1 << 31) - 1)]),
                        self.rng.choice([2, 31, 36, 38, 40, 62]), self.rng.randint(-(1 << 15), (1 << 15) - 1))

    def prologue(self) -> list[int]:
        """Fill the scratchpad bank by bank; the first words become ids."""
        words = self.config.bank_words
        return [encode(Instruction("LD", {"rows": Dim(1), "words": Dim(words), "dst": Operand(bank * words, words),
                                          "ext": Ext(bank * words, words, 2)})) for bank in range(self.config.banks)]


def finished(generator: Generator, seed: int, body: list[int]) -> Program:
    """The program of these instructions (entry `main` is the first), with constants, memory contents and ids."""
    image = Image(
        generator.config.name, body, [generator.constant() for _ in range(CONSTANTS + 64)], {ENTRY: 0}
    )
    rng, config = generator.rng, generator.config
    ids = b"".join(rng.randrange(IDS_BELOW).to_bytes(4, "little").ljust(config.cols, b"\0") for _ in range(ID_ROWS))
    memory = {
        TABLE_ADDRESS: rng.randbytes(TABLE_BYTES),
        SCRATCH_ADDRESS: rng.randbytes(SCRATCH_BYTES),
        FILL_ADDRESS: ids + rng.randbytes(config.spad_bytes - len(ids)),
    }
    return Program(seed, image, memory, generator.windows, generator.length, generator.m, f"seed {seed}")


def random_program(config: Config, seed: int, instructions: int = 30, faulty: bool = False) -> Program:
    """The program of a seed: a prologue, `instructions` random instructions, HALT; `faulty` ones fault before HALT."""
    generator = Generator(config, seed)
    body = generator.prologue() + [generator.instruction() for _ in range(instructions)]
    if faulty:
        body += [generator.faulty(), *(generator.instruction() for _ in range(2))]
    return finished(generator, seed, [*body, encode(Instruction("HALT"))])
