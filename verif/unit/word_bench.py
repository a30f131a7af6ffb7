# SPDX-License-Identifier: Apache-2.0
"""What the benches of the vector and the softmax unit share: the scratchpad they play, and the checks of each cycle.

A read answers in the following cycle only. Bytes that nothing has written, and the data of cycles without an answer,
are X in Icarus and random in Verilator. Each cycle is sampled once, in its middle.
"""

import random
from collections.abc import Callable, Sequence
from typing import Protocol

import cocotb
import numpy as np
from cocotb.triggers import FallingEdge, RisingEdge
from cocotb.types import LogicArray

from ga2.device.clock import start_clock
from ga2.spec import Config, load_config
from ga2.timing.ops import SmOp, Times, VecOp
from verif.unit.op_bits import pack

Op = SmOp | VecOp
Words = dict[int, bytes]  # word address -> the word


class Unit(Protocol):
    """A timing model."""

    def issue(self, op, earliest: int) -> Times: ...


class Scratchpad:
    """Words of `cols` bytes; a byte that was never written is None."""

    def __init__(self, cols: int) -> None:
        self.cols = cols
        self.words: dict[int, list[int | None]] = {}

    def word(self, address: int) -> list[int | None]:
        return self.words.get(address, [None] * self.cols)

    def copy(self) -> "Scratchpad":
        twin = Scratchpad(self.cols)
        twin.words = dict(self.words)
        return twin

    def put(self, words: Words) -> None:
        """Write whole words."""
        self.words |= {address: list(word) for address, word in words.items()}

    def put_rows(self, start: int, pitch: int, rows: np.ndarray) -> None:
        """Write int8 or uint8 [m, n]; the padding of each row's last word becomes unknown."""
        for i, row in enumerate(rows):
            data: list[int | None] = [int(v) & 0xFF for v in row]
            data += [None] * (-len(data) % self.cols)
            for w in range(len(data) // self.cols):
                self.words[start + i * pitch + w] = data[w * self.cols : (w + 1) * self.cols]

    def get_rows(self, start: int, pitch: int, rows: int, n: int) -> np.ndarray:
        """Read int8 [rows, n]; every element must be known."""
        words = -(-n // self.cols)
        data = [sum((self.word(start + i * pitch + w) for w in range(words)), [])[:n] for i in range(rows)]
        return np.array(data, np.uint8).view(np.int8)


Golden = Callable[[Op, Scratchpad], tuple[Words, set[int]]]
"""The words that an operation must write, and the addresses that it must read."""


def operand(start: int, pitch: int, rows: int, words: int) -> set[int]:
    """The addresses of rows of words."""
    return {start + i * pitch + w for i in range(rows) for w in range(words)}


def row_words(start: int, pitch: int, rows: np.ndarray, cols: int) -> Words:
    """The words that a unit writes for uint8 [m, n]: zero beyond n."""
    words: Words = {}
    for i, row in enumerate(rows):
        data = row.astype(np.uint8).tobytes()
        data += bytes(-len(data) % cols)
        words |= {start + i * pitch + w: data[w * cols : (w + 1) * cols] for w in range(len(data) // cols)}
    return words


def value_words(start: int, pitch: int, values: Sequence[int], cols: int) -> Words:
    """The words that hold one 32-bit value a row."""
    return {start + i * pitch: int(v).to_bytes(cols, "little") for i, v in enumerate(values)}


def config_of(cols: int) -> Config:
    """A configuration with this word size; these units depend on nothing else."""
    return load_config("nano").model_copy(update={"cols": cols})


class WordBench:
    """The unit under test with its clock and scratchpad; `readers` are port prefixes such as "rd"."""

    def __init__(self, dut, cols: int, readers: Sequence[str], rng: random.Random) -> None:
        self.dut = dut
        self.rng = rng
        self.cols = cols
        self.spad = Scratchpad(cols)
        self.ports = [tuple(getattr(dut, f"{name}_{end}") for end in ("en_o", "addr_o", "data_i")) for name in readers]
        self.cycle = 0
        self.forget()

    def forget(self) -> None:
        """Drop what was recorded."""
        self.starts: list[int] = []
        self.dones: list[tuple[int, int]] = []  # (cycle, slot)
        self.busy: list[int] = []  # cycles
        self.writes: list[tuple[int, int, bytes]] = []  # (cycle, address, word)
        self.reads: list[tuple[int, int]] = []  # (cycle, address)

    async def reset(self) -> None:
        dut = self.dut
        for name in ("kill_i", "op_valid_i", "op_i"):
            getattr(dut, name).value = 0
        dut.rst_ni.value = 0
        await start_clock(dut.clk_i)
        await FallingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        dut.rst_ni.value = 1
        await self.step()

    def _answer(self, address: int | None) -> LogicArray | int:
        word = [None] * self.cols if address is None else self.spad.word(address)
        if cocotb.SIM_NAME.lower().startswith("icarus"):
            return LogicArray("".join("X" * 8 if byte is None else f"{byte:08b}" for byte in reversed(word)))
        return int.from_bytes(bytes(self.rng.randrange(256) if byte is None else byte for byte in word), "little")

    async def step(self) -> bool:
        """One cycle: sample it, play the scratchpad. True if an operation was accepted in it."""
        dut = self.dut
        await FallingEdge(dut.clk_i)
        answers = []
        for enable, address, port in self.ports:
            asked = int(address.value) if enable.value else None
            if asked is not None:
                self.reads.append((self.cycle, asked))
            answers.append((port, self._answer(asked)))
        if dut.wr_en_o.value:
            address, word = int(dut.wr_addr_o.value), int(dut.wr_data_o.value).to_bytes(self.cols, "little")
            self.writes.append((self.cycle, address, word))
            self.spad.words[address] = list(word)
        if dut.done_o.value:
            self.dones.append((self.cycle, int(dut.done_slot_o.value)))
        if dut.busy_o.value:
            self.busy.append(self.cycle)
        accepted = bool(dut.op_valid_i.value) and bool(dut.op_ready_o.value)
        if accepted:
            self.starts.append(self.cycle)
        await RisingEdge(dut.clk_i)
        for port, value in answers:
            port.value = value
        self.cycle += 1
        return accepted

    async def start(self, op: Op, limit: int) -> None:
        """Offer `op` until it is accepted, then put noise on its port."""
        self.dut.op_i.value = pack(op)
        self.dut.op_valid_i.value = 1
        while not await self.step():
            assert self.cycle <= limit, f"{op}: not accepted in cycle {limit}"
        self.dut.op_valid_i.value = 0
        self.dut.op_i.value = self.rng.getrandbits(len(self.dut.op_i))

    async def run(self, ops: Sequence[tuple[int, Op]], unit: Unit, golden: Golden) -> None:
        """Run a sequence of (idle cycles before the offer, operation), and check it against model and golden."""
        self.forget()
        model = self.spad.copy()
        expected: list[tuple[Op, Times, Words, set[int]]] = []
        for gap, op in ops:
            for _ in range(gap):
                await self.step()
            times = unit.issue(op, self.cycle)
            words, reads = golden(op, model)
            model.put(words)
            expected.append((op, times, words, reads))
            await self.start(op, times.start)
        while self.cycle < expected[-1][1].end + 12:
            await self.step()

        assert self.starts == [times.start for _, times, _, _ in expected]
        assert self.dones == [(times.end, op.slot) for op, times, _, _ in expected]
        assert self.busy == sorted({c for _, t, _, _ in expected for c in range(t.start + 1, t.end + 1)})
        for op, times, words, reads in expected:
            own = [(address, word) for cycle, address, word in self.writes if times.start < cycle <= times.end]
            assert dict(own) == words, f"{op}: wrote {dict(own)}, not {words}"
            assert len(own) == len(words), f"{op}: wrote a word twice"
            seen = {address for cycle, address in self.reads if times.start < cycle <= times.end}
            assert seen == reads, f"{op}: read {seen}, not {reads}"
        assert len(self.writes) == sum(len(words) for _, _, words, _ in expected), "a write outside of every operation"

    async def kill(self, op: Op, after: int) -> None:
        """Start `op`, kill it `after` cycles later: from then on it is silent."""
        self.forget()
        await self.start(op, self.cycle)
        for _ in range(after):
            await self.step()
        self.dut.kill_i.value = 1
        await self.step()
        self.forget()
        await self.step()
        self.dut.kill_i.value = 0
        for _ in range(60):
            await self.step()
        assert not (self.writes or self.reads or self.dones or self.busy), f"{op}: alive after a kill"
